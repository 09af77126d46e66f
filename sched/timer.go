package sched

import (
	"time"
	"unsafe"
)

// Timers and tickers under control are structs of package time with a channel of
// ours; the engine knows them by their address, for as long as the run lasts.

// After is time.After.
func After(d time.Duration) (c <-chan time.Time, done bool) {
	g := enter()
	if g == nil {
		return nil, false
	}
	t := &timer{c: make(chan time.Time, 1)}
	g.engine.set(t, d)
	leave(g)
	return t.c, true
}

// NewTimer is time.NewTimer.
func NewTimer(d time.Duration) (t *time.Timer, done bool) {
	g := enter()
	if g == nil {
		return nil, false
	}
	t = g.engine.newTimer(&timer{c: make(chan time.Time, 1)}, d)
	leave(g)
	return t, true
}

// AfterFunc is time.AfterFunc; f runs as a goroutine under control.
func AfterFunc(d time.Duration, f func()) (t *time.Timer, done bool) {
	g := enter()
	if g == nil {
		return nil, false
	}
	t = g.engine.newTimer(&timer{f: f, clock: g.engine.clockOf(g)}, d)
	leave(g)
	return t, true
}

func (e *engine) newTimer(virtual *timer, d time.Duration) *time.Timer {
	t := &time.Timer{C: virtual.c}
	e.timerOf[t] = virtual
	e.set(virtual, d)
	return t
}

// TimerStop is t.Stop. Done is false if t is a timer of the real clock. One of the
// virtual clock that is stopped by a goroutine which is not under control, or
// after its run, is stopped as soon as somebody looks, and said not to be active.
func TimerStop(t *time.Timer) (active, done bool) {
	return timerAgain(t, func(e *engine, virtual *timer) {})
}

// TimerReset is t.Reset(d), for which the same holds.
func TimerReset(t *time.Timer, d time.Duration) (active, done bool) {
	return timerAgain(t, func(e *engine, virtual *timer) { e.set(virtual, d) })
}

// timerAgain stops t and then does something with it.
func timerAgain(t *time.Timer, then func(*engine, *timer)) (active, done bool) {
	if isReal(unsafe.Pointer(t)) {
		return false, false
	}
	g := enter()
	if g == nil {
		tellHolder(func(e *engine) {
			if virtual := e.timerOf[t]; virtual != nil {
				e.stop(virtual)
				then(e, virtual)
			}
		})
		return false, true
	}
	defer leave(g)
	if virtual := g.engine.timerOf[t]; virtual != nil {
		active = g.engine.stop(virtual)
		virtual.clock = g.engine.clockOf(g)
		then(g.engine, virtual)
	}
	return active, true
}

// isReal says whether package time has made the Timer or Ticker, of which both keep
// note after their channel. Stop and Reset panic for others.
func isReal(t unsafe.Pointer) bool {
	return *(*bool)(unsafe.Add(t, unsafe.Sizeof(uintptr(0))))
}

// timersKnown says whether isReal tells the truth in this version of Go.
func timersKnown() bool {
	timer, ticker := time.NewTimer(time.Hour), time.NewTicker(time.Hour)
	timer.Stop()
	ticker.Stop()
	return isReal(unsafe.Pointer(timer)) && isReal(unsafe.Pointer(ticker)) && !isReal(unsafe.Pointer(new(time.Timer))) && !isReal(unsafe.Pointer(new(time.Ticker)))
}

// stop unsets a timer, and takes back a value that nobody has received: since Go
// 1.23 none is received after Stop or Reset.
func (e *engine) stop(t *timer) (active bool) {
	active = e.unset(t)
	if t.c != nil {
		select {
		case <-t.c:
			active = true
		default:
		}
	}
	return active
}

// NewTicker is time.NewTicker; d must be positive, or it panics as that does.
func NewTicker(d time.Duration) (t *time.Ticker, done bool) {
	g := enter()
	if g == nil {
		return nil, false
	}
	defer leave(g)
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	virtual := &timer{c: make(chan time.Time, 1), period: d}
	t = &time.Ticker{C: virtual.c}
	g.engine.tickerOf[t] = virtual
	g.engine.set(virtual, d)
	return t, true
}

// TickerStop is t.Stop. Done is false if t is a ticker of the real clock; for others
// see TimerStop.
func TickerStop(t *time.Ticker) (done bool) {
	return tickerAgain(t, func(e *engine, virtual *timer) {})
}

// TickerReset is t.Reset(d). Done is false if t is a ticker of the real clock.
func TickerReset(t *time.Ticker, d time.Duration) (done bool) {
	if d <= 0 {
		return false // the real one panics
	}
	return tickerAgain(t, func(e *engine, virtual *timer) {
		virtual.period = d
		e.set(virtual, d)
	})
}

func tickerAgain(t *time.Ticker, then func(*engine, *timer)) (done bool) {
	if isReal(unsafe.Pointer(t)) {
		return false
	}
	again := func(e *engine) {
		if virtual := e.tickerOf[t]; virtual != nil {
			e.stop(virtual)
			then(e, virtual)
		}
	}
	g := enter()
	if g == nil {
		tellHolder(again)
		return true
	}
	again(g.engine)
	leave(g)
	return true
}
