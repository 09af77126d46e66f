package sched

import "time"

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

// TimerStop is t.Stop. Done is false if t is a timer of the real clock.
func TimerStop(t *time.Timer) (active, done bool) {
	g := enter()
	if g == nil {
		return false, false
	}
	defer leave(g)
	virtual := g.engine.timerOf[t]
	if virtual == nil {
		return false, false
	}
	return g.engine.stop(virtual), true
}

// TimerReset is t.Reset(d). Done is false if t is a timer of the real clock.
func TimerReset(t *time.Timer, d time.Duration) (active, done bool) {
	g := enter()
	if g == nil {
		return false, false
	}
	defer leave(g)
	virtual := g.engine.timerOf[t]
	if virtual == nil {
		return false, false
	}
	active = g.engine.stop(virtual)
	virtual.clock = g.engine.clockOf(g)
	g.engine.set(virtual, d)
	return active, true
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

// TickerStop is t.Stop. Done is false if t is a ticker of the real clock.
func TickerStop(t *time.Ticker) (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	defer leave(g)
	virtual := g.engine.tickerOf[t]
	if virtual == nil {
		return false
	}
	g.engine.stop(virtual)
	return true
}

// TickerReset is t.Reset(d). Done is false if t is a ticker of the real clock.
func TickerReset(t *time.Ticker, d time.Duration) (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	defer leave(g)
	virtual := g.engine.tickerOf[t]
	if virtual == nil {
		return false
	}
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	g.engine.stop(virtual)
	virtual.period = d
	g.engine.set(virtual, d)
	return true
}
