//go:build !atomrace_off

package heal

import (
	"runtime"
	"sync/atomic"
	"time"
)

// With ATOMRACE's budget, watching costs no more than that share of what the program needs
// without hooks. The rewriter has put functions into the program twice, with hooks and
// without, and asks as each activation begins which one to run. All goroutines watch at
// the same time, and rest at the same time: two accesses meet only if both are watched,
// and if each goroutine drew lots for itself a tenth of the activations would find a
// hundredth of the races.
//
// Functions with light hooks alone ask Told. Those with sections, and with accesses to the
// variables of sections, ask ToldAll, which lets them rest only while nothing is to be
// healed and no control file could change that, for what heals must not rest. That
// PolicyAuto heals what it has seen broken is reason enough not to.
//
// A phase lasts for a number of activations. The processor time that the process takes for
// as many of them while it watches and while it rests, in turn, says what watching costs
// here and now (budgetmeter.go). Which functions count their activations is decided anew as
// the program runs (budgetcount.go).

// What the functions of a group are told. The rewriter knows the numbers.
const (
	rest          = iota // the compiler compares with the least one first
	watchAndCount        // before the settings are known, too
	restAndCount
	watch
)

// told is for Told, toldAll for ToldAll; like alert they are read without synchronisation.
// Who sees what was said before acts on it a little longer.
var (
	told    = [groups]uint32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	toldAll = [groups]uint32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
)

// Told says what an activation of a function of the group with light hooks alone is to do.
//
//go:norace
func Told(group int) uint32 { return told[group] }

// ToldAll says so where there are hooks of other kinds.
//
//go:norace
func ToldAll(group int) uint32 { return toldAll[group] }

// restTurns counts how often those with sections began to rest, and to watch again: it is odd
// while any of them may be told to rest.
var restTurns uint32

// phase is what goes on; whoever sets turning may read and change the rest.
var phase struct {
	left    int64 // activations until its end, of the groups that count at rest
	turning uint32
	length  int64         // what left was; 0 is no phase yet
	began   time.Duration // in processor time
	meter   meter
	budget  float64 // that the meter is for; 0 is none yet
	rests   bool    // what is watched within the budget
	counts  bool    // there is a budget to keep
	awake   bool    // sections do not rest, see rouse
	turns   uint32  // what restTurns is
}

// nextPhase begins the next phase if this one is over.
func nextPhase() {
	_ = settings() // may take locks, which nobody may who turns
	if !atomic.CompareAndSwapUint32(&phase.turning, 0, 1) {
		return
	}
	defer atomic.StoreUint32(&phase.turning, 0)
	if phase.budget == 0 {
		return
	}
	now := usedTime()
	took, left, m := now-phase.began, atomic.LoadInt64(&phase.left), &phase.meter
	switch {
	case phase.length == 0:
		m.length = batch
	case m.turns == 0 && !phase.rests && took < firstPhase:
		if left <= 0 {
			atomic.StoreInt64(&phase.left, phase.length)
			phase.length *= 2
		}
		return
	case m.turns == 0 && !phase.rests, left <= 0:
		phaseOver(took)
	case took > overdue(m.span):
		again() // those that count are not called any more
	default:
		return
	}
	forget()
	phase.began = now
	phase.length = max(batch, int64(m.length))
	atomic.StoreInt64(&phase.left, phase.length)
}

// phaseOver says what the next phase is after one that took so long. Who calls it has set
// phase.turning.
func phaseOver(took time.Duration) {
	m := &phase.meter
	if !phase.rests {
		if old := countsAtRest(); old != old.better(took) {
			atomic.StoreUint32(&atRest, uint32(old.better(took)))
			m.recount()
		}
	}
	phase.rests = m.over(phase.budget, phase.rests, countsAtRest().sum(), took)
	tell()
	budgeted.Store(m.found())
}

// again begins with a first phase, as if nothing were known. Who calls it has set
// phase.turning.
func again() {
	atomic.StoreUint32(&atRest, everyGroup)
	phase.rests, phase.length, phase.meter = false, 0, meter{length: batch, seed: phase.meter.seed}
	tell()
}

// tell tells all functions what to do. Sections rest if the light hooks do and nothing is
// healed. Who calls it has set phase.turning.
func tell() {
	rests := phase.rests && !phase.awake
	if rests && phase.turns&1 == 0 { // before anybody can be told to rest
		phase.turns++
		atomic.StoreUint32(&restTurns, phase.turns)
	}
	for g := range told {
		w := uint32(watch)
		switch count := phase.counts && (!phase.rests || countsAtRest().has(g)); {
		case phase.rests && count:
			w = restAndCount
		case phase.rests:
			w = rest
		case count:
			w = watchAndCount
		}
		atomic.StoreUint32(&told[g], w)
		if phase.awake {
			w = watch
		}
		atomic.StoreUint32(&toldAll[g], w)
	}
	if !rests && phase.turns&1 == 1 {
		phase.turns++
		atomic.StoreUint32(&restTurns, phase.turns)
	}
}

// wakes says whether sections must be watched under c, whatever is said of single ones.
func (c *config) wakes() bool { return !c.off && (c.heal > PolicyOff || c.control != "") }

// rouse keeps sections from resting where something is healed under c, or will be once it
// has been seen broken, or the control file may say so: it is looked at where sections are
// watched. What the tables say counts for the rewriter, which has functions with such
// sections once in the program. The lock of the registry must be held.
func (c *config) rouse() {
	awake := c.wakes()
	for _, p := range registry.named {
		awake = awake || !c.off && p > PolicyOff
	}
	takeTurn()
	phase.awake = awake
	tell()
	atomic.StoreUint32(&phase.turning, 0)
}

// takeTurn waits until it may set phase.turning, some dozen instructions and a system
// call of somebody else's.
func takeTurn() {
	for !atomic.CompareAndSwapUint32(&phase.turning, 0, 1) {
		runtime.Gosched()
	}
}

// budgeted is what Stats says of the budget.
var budgeted atomic.Pointer[thinning]

// thinning is what the budget has led to.
type thinning struct {
	watched  float64 // share of the activations
	overhead float64 // of watching all of them
}

// keepBudget puts the budget of c in force. There is none where there is to be noise; and
// nothing at all is watched if c is off. Where the budget stays, what was measured stays,
// and the phase goes on: other settings change while the program runs.
func (c *config) keepBudget() {
	var rests bool
	var budget float64
	switch {
	case c.off:
		rests = true
	case c.noise.perMille > 0:
	case c.rests:
		rests = true
	case c.budget > 0:
		budget = c.budget
	}
	takeTurn()
	defer atomic.StoreUint32(&phase.turning, 0)
	phase.awake = phase.awake || c.wakes() // until rouse knows better
	if budget > 0 && budget == phase.budget {
		tell()
		return
	}
	phase.counts, phase.budget = budget > 0, budget
	again()
	if rests {
		phase.rests = true
		tell()
	}
	atomic.StoreInt64(&phase.left, 0)
	budgeted.Store(nil)
}
