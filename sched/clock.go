package sched

import (
	"time"
)

// epoch is when the virtual clock begins.
var epoch = time.Date(2024, 5, 15, 12, 34, 56, 789_000_000, time.UTC)

// A timer is an entry of the virtual clock.
type timer struct {
	when     time.Duration // since the run began
	sequence uint64        // of those that are due at the same time the first set comes first
	index    int           // in engine.timers; -1 if it is not set
	period   time.Duration // of a ticker

	sleeper *Goroutine     // sleeps until then
	c       chan time.Time // gets the time
	f       func()         // runs in a goroutine of its own
	clock   clock          // of the goroutine that has set f, for the hybrid pass
}

// timers is a heap, the next timer first.
type timers []*timer

func (h timers) less(i, j int) bool {
	return h[i].when < h[j].when || h[i].when == h[j].when && h[i].sequence < h[j].sequence
}

func (h timers) swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h timers) up(i int) {
	for i > 0 && h.less(i, (i-1)/2) {
		h.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
}

func (h timers) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h.less(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		h.swap(i, least)
		i = least
	}
}

// set makes t fire after d.
func (e *engine) set(t *timer, d time.Duration) {
	t.when = e.now + max(d, 0)
	if t.when < e.now {
		t.when = 1<<63 - 1 // never, as far as anybody will see
	}
	e.timerSequence++
	t.sequence = e.timerSequence
	t.index = len(e.timers)
	e.timers = append(e.timers, t)
	e.timers.up(t.index)
}

// unset takes t out and says whether it was set.
func (e *engine) unset(t *timer) bool {
	i := t.index
	if i < 0 {
		return false
	}
	last := len(e.timers) - 1
	e.timers.swap(i, last)
	e.timers[last] = nil
	e.timers = e.timers[:last]
	t.index = -1
	if i < last {
		e.timers.down(i)
		e.timers.up(i)
	}
	return true
}

// wakes says whether t does work of the program when it fires, and is not a timeout
// that cuts work short: a Sleep or a ticker.
func (t *timer) wakes() bool { return t.sleeper != nil || t.period > 0 }

// fireDue fires all timers that are due.
func (e *engine) fireDue() {
	for len(e.timers) > 0 && e.timers[0].when <= e.now {
		e.fire(e.timers[0])
	}
}

// leap makes the clock advance to the next timer and fires it.
func (e *engine) leap() {
	e.useless++
	e.now = max(e.now, e.timers[0].when)
	e.fireDue()
}

func (e *engine) fire(t *timer) {
	e.unset(t)
	switch {
	case t.sleeper != nil:
		e.enable(t.sleeper)
	case t.c != nil:
		e.try(nil, &sendOperation[time.Time]{t.c, epoch.Add(t.when)})
	case t.f != nil:
		e.start(t.clock, t.f)
	}
	if t.period > 0 {
		e.set(t, t.period-(e.now-t.when)%t.period)
	}
}

// Sleep is time.Sleep on the virtual clock.
func Sleep(d time.Duration) (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	e := g.engine
	if d <= 0 {
		e.point(g, Operation{Kind: Yielding})
	} else {
		g.Next = Operation{Kind: Sleeping}
		if e.trace {
			g.where = position()
		}
		e.set(&timer{sleeper: g}, d)
		e.park(g, nil)
	}
	leave(g)
	return true
}

// Now is time.Now on the virtual clock: without monotonic reading, in UTC. The
// clock advances a little with each look at it, so that a loop that waits for a
// time ends.
func Now() (now time.Time, done bool) {
	g := enter()
	if g == nil {
		return time.Time{}, false
	}
	g.engine.now += tick
	now = epoch.Add(g.engine.now)
	leave(g)
	return now, true
}
