package sched

import (
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"
)

// tick is how far the virtual clock advances with each decision.
const tick = 100 * time.Nanosecond

// segmentsKept bounds the schedule that a run leaves behind, and eventsKept its
// trace, of which the end is kept.
const (
	segmentsKept = 1 << 20
	eventsKept   = 100_000
)

// An engine is one run. All of it belongs to whoever has the token, but for the
// words that are accessed atomically and the inbox.
type engine struct {
	asked    Options // before what is left open was filled in
	options  Options
	strategy Strategy
	state    State
	watches  func(*Location) bool // which accesses are points; nil: all
	serial   uint32               // of this run, for what a Location remembers
	main     *Goroutine
	alive    []*Goroutine // all that have not ended, by ID
	started  int
	ended    Outcome // how the main function has; empty before that
	adopted  bool    // by Main: panics, deadlocks and the like are those of the process

	now           time.Duration // since the run began, on the virtual clock
	timers        timers
	timerSequence uint64
	timerOf       map[*time.Timer]*timer
	tickerOf      map[*time.Ticker]*timer
	channels      map[unsafe.Pointer]*channelQueue
	locks         map[unsafe.Pointer]*lock
	groups        map[unsafe.Pointer][]*Goroutine
	conds         map[unsafe.Pointer][]*condWaiter
	onces         map[unsafe.Pointer]*onceRun
	free          []*lock // to be used again
	open          []*openSection
	entered       []*Section // each once
	sections      bool       // has any been entered?
	violations    []Violation
	blocked       []Waiting // in a deadlock
	hybrid        *hybrid
	trace         bool
	chains        bool // are the call chains of lock operations wanted?
	events        []Event
	names         map[unsafe.Pointer]string
	numbers       map[any]int // of keys of maps; see Key
	segments      []Segment
	tooLong       bool // are there more than segmentsKept?
	preemptions   int
	hash          uint64
	useless       int // leaps of the clock since somebody was enabled

	watchdog      watchdog
	inbox         inbox
	lost          int // goroutines that the watchdog gave up and that did not come back
	exiting       int // 1 while a goroutine that has ended decides who is next
	foreigners    int // goroutines that existed before the run
	uncontrolled  string
	warnedOfChild bool // see ProcessStarted
	result        Result
	over          chan struct{}
	asking        chan string // while goroutines that wait are asked where they are
	isOver        uint32
}

// create makes the record of a goroutine; it is enabled and will wait for its turn.
func (e *engine) create() *Goroutine {
	e.started++
	g := &Goroutine{ID: e.started, engine: e, word: inside, wake: make(chan struct{}, 1), random: newSource(e.options.Seed, uint64(e.started))}
	e.alive = append(e.alive, g)
	e.enable(g)
	return g
}

// point is a scheduling point: g is about to do op, and can make a step.
func (e *engine) point(g *Goroutine, op Operation) {
	g.Next = op
	if e.trace {
		g.where = position()
	}
	e.decide(g)
}

// park is a scheduling point at which g cannot make a step. It returns when
// somebody has enabled g and it was chosen.
func (e *engine) park(g *Goroutine, o obstacle) {
	g.obstacle = o
	e.disable(g)
	e.decide(g)
	g.obstacle = nil
}

// An obstacle is what a goroutine waits for; nil if nothing is known of it.
type obstacle interface {
	// owners returns the goroutines that must do something about it.
	owners() []*Goroutine
	// over asks the real object whether one that is not under control has. It may
	// enable others, too.
	over(e *engine) bool
}

// decide hands the token of g to whoever is chosen, and returns when it is g.
func (e *engine) decide(g *Goroutine) {
	next := e.choose()
	if next == g {
		return
	}
	if next != nil {
		e.hand(next)
	}
	if g.dead {
		return
	}
	for {
		<-g.wake // for ever, when the run is over
		if e.asking == nil {
			return
		}
		e.asking <- position()
	}
}

// hand gives the token to g.
func (e *engine) hand(g *Goroutine) {
	atomic.SwapPointer(&current, unsafe.Pointer(g))
	g.wake <- struct{}{}
}

// choose takes a decision. It returns nil when the run is over.
func (e *engine) choose() *Goroutine {
	for {
		if atomic.LoadUint32(&e.inbox.full) != 0 {
			e.readInbox()
		}
		e.now += tick
		e.fireDue()
		if len(e.state.Enabled) == 0 {
			if e.ended != "" && !e.poll() {
				e.drained()
				return nil
			}
			if !e.idle() {
				return nil
			}
			continue
		}
		if e.state.Decision == e.options.Limit {
			if e.ended != "" {
				e.drained()
				return nil
			}
			e.finish(OutcomeLimit, "")
			return nil
		}
		e.state.Sleeper = len(e.timers) > 0 && e.timers[0].wakes()
		i := e.strategy.Next(&e.state)
		if i < 0 {
			e.letTimePass()
			continue
		}
		return e.take(e.state.Enabled[i])
	}
}

// take writes the decision for g down.
func (e *engine) take(g *Goroutine) *Goroutine {
	last := e.state.Last
	preempts := last != nil && last != g && last.enabled && last.Next.Kind != Yielding
	if preempts {
		e.preemptions++
	}
	e.step(g.ID)
	line := 0
	if g.Next.Location != nil {
		line = g.Next.Location.Line
	}
	e.hash = (e.hash ^ (uint64(g.ID)<<32 | uint64(line)<<8 | uint64(g.Next.Kind))) * 0x100000001b3
	e.state.Decision++
	e.state.Last = g
	if e.trace {
		e.record(g, preempts)
	}
	return g
}

// step adds a step of the goroutine to the schedule.
func (e *engine) step(id int) {
	if e.tooLong {
		return
	}
	if n := len(e.segments); n > 0 && e.segments[n-1].Goroutine == id {
		e.segments[n-1].Steps++
	} else {
		e.segments = append(e.segments, Segment{id, 1})
	}
	if len(e.segments) > segmentsKept {
		e.segments, e.tooLong = nil, true
	}
}

// letTimePass is the decision that the clock advances to the next sleeper although
// others could make a step. It is a step of goroutine 0.
func (e *engine) letTimePass() {
	if !e.state.Sleeper {
		return // only a Strategy that breaks its contract
	}
	e.result.Leaps++
	e.step(0)
	e.hash = (e.hash ^ 1) * 0x100000001b3
	e.leap()
}

// enable says that g can make a step.
func (e *engine) enable(g *Goroutine) {
	if g.enabled {
		return
	}
	g.enabled = true
	e.useless = 0
	list := append(e.state.Enabled, g)
	if n := len(list) - 1; n > 0 && list[n-1].ID > g.ID {
		i := indexOf(list[:n], g.ID)
		copy(list[i+1:], list[i:n])
		list[i] = g
	}
	e.state.Enabled = list
}

// enableAll is enable for many.
func (e *engine) enableAll(list []*Goroutine) {
	if len(list) < 8 {
		for _, g := range list {
			e.enable(g)
		}
		return
	}
	for _, g := range list {
		if !g.enabled {
			g.enabled = true
			e.state.Enabled = append(e.state.Enabled, g)
		}
	}
	e.useless = 0
	slices.SortFunc(e.state.Enabled, func(g, h *Goroutine) int { return g.ID - h.ID })
}

// disable says that g cannot make a step.
func (e *engine) disable(g *Goroutine) {
	if g.enabled {
		g.enabled = false
		e.state.Enabled = remove(e.state.Enabled, g)
	}
}

// indexOf returns where in a list that is sorted by ID a goroutine is, or would be.
func indexOf(list []*Goroutine, id int) int {
	low, high := 0, len(list)
	for low < high {
		middle := int(uint(low+high) / 2)
		if list[middle].ID < id {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// remove takes g out of such a list.
func remove(list []*Goroutine, g *Goroutine) []*Goroutine {
	i := indexOf(list, g.ID)
	copy(list[i:], list[i+1:])
	list[len(list)-1] = nil
	return list[:len(list)-1]
}

// exit is the end of g, which has the token.
func (e *engine) exit(g *Goroutine) {
	for len(g.open) > 0 {
		e.close(g.open[len(g.open)-1])
	}
	e.disable(g)
	e.alive = remove(e.alive, g)
	g.dead = true
	if g == e.main {
		e.mainEnded(g)
		return
	}
	e.exiting = 1
	next := e.choose()
	e.exiting = 0
	if next != nil {
		e.hand(next)
	}
}

// mainEnded ends the run, for the program is over when its main function is. Before
// that the others may make Options.Drain more steps, but wait for no time to pass.
func (e *engine) mainEnded(g *Goroutine) {
	e.ended = OutcomeDone
	if !g.returned {
		e.ended = OutcomeGoexit
	}
	e.options.Limit = e.state.Decision + e.options.Drain
	e.decide(g)
	<-e.over
}

// drained ends the run after mainEnded.
func (e *engine) drained() {
	if len(e.state.Enabled) == 0 && e.options.Drain > 0 {
		e.blocked = e.leaked()
	}
	e.finish(e.ended, "")
}

// leaked lists the goroutines that wait for ever, when nobody can make a step: not
// those that sleep, wait at the channel of a timer, for a connection, or are in something
// that is not instrumented.
func (e *engine) leaked() []Waiting {
	timed := make(map[*Goroutine]bool)
	for _, t := range e.timers {
		if t.sleeper != nil {
			timed[t.sleeper] = true
		}
		if t.c == nil {
			continue
		}
		if queue := e.channels[*(*unsafe.Pointer)(unsafe.Pointer(&t.c))]; queue != nil {
			for w := queue.receivers.first; w != nil; w = w.after {
				timed[w.g] = true
			}
		}
	}
	list := e.waiting(func(g *Goroutine) bool {
		return !g.enabled && !timed[g] && g.Next.Kind != Returning && g.Next.Kind != Networking
	})
	// Package net/http keeps connections, with their goroutines, for requests to come.
	return slices.DeleteFunc(list, func(w Waiting) bool { return strings.Contains(w.Location, "/src/net/http/") })
}

// foreign says whether there are goroutines that are not under control and that
// did not exist before the run, or some that the watchdog gave up: somebody who
// might yet do something for those that wait.
func (e *engine) foreign() bool {
	if e.lost > 0 {
		return true
	}
	own := len(e.alive) + e.exiting
	others := runtime.NumGoroutine() - own
	if others < e.foreigners { // some have ended
		others = countGoroutines() - own
		e.foreigners = min(e.foreigners, others)
	}
	return others > e.foreigners
}
