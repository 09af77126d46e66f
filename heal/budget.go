//go:build !atomrace_off

package heal

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// With ATOMRACE's budget, watching costs no more than that share of what the program needs
// without hooks. The rewriter has put functions into the program twice, with hooks and
// without, and asks as each activation begins which one to run. All goroutines watch at
// the same time, and rest at the same time: two accesses meet only if both are watched,
// and if each goroutine drew lots for itself a tenth of the activations would find a
// hundredth of the races.
//
// Functions with light hooks alone ask Unwatched. Those with sections, and with accesses to
// the variables of sections, ask AllUnwatched, which says yes only while nothing is to be
// healed and no control file could change that, for what heals must not rest. That
// PolicyAuto heals what it has seen broken is reason enough not to.
//
// A phase lasts for a number of activations, counted in the functions in which
// BeginUnwatched and BeginAllUnwatched ask: those with loops, those that open sections, and
// the long ones. The processor time that the process takes for as many of them while it
// watches and while it rests, in turn, says what watching costs here and now
// (budgetmeter.go).

// resting is not 0 while light hooks rest, and restingAll while sections do as well;
// budgeting is not 0 if there is a budget to keep, and before the settings are known, and
// budgetingAll if sections have part in it. Like alert, they are read without
// synchronisation: who sees an old value acts on it a little longer.
var (
	resting      uint64
	restingAll   uint64
	budgeting    uint64 = 1
	budgetingAll uint64 = 1
)

// Unwatched says whether this activation of a function goes without its light hooks.
//
//go:norace
func Unwatched() bool {
	//atomrace:ignore mixed-atomic-plain an old value is watched, or not, a little longer
	return resting != 0
}

// BeginUnwatched is Unwatched for an activation that counts.
//
//go:norace
func BeginUnwatched() bool {
	//atomrace:ignore mixed-atomic-plain who has an old value counts once more or not yet
	if budgeting != 0 {
		begin()
	}
	//atomrace:ignore mixed-atomic-plain an old value is watched, or not, a little longer
	return resting != 0
}

// AllUnwatched says whether this activation of a function goes without hooks of any kind.
//
//go:norace
func AllUnwatched() bool {
	//atomrace:ignore mixed-atomic-plain an old value is watched, or not, a little longer
	return restingAll != 0
}

// BeginAllUnwatched is AllUnwatched for an activation that counts.
//
//go:norace
func BeginAllUnwatched() bool {
	//atomrace:ignore mixed-atomic-plain who has an old value counts once more or not yet
	if budgetingAll != 0 {
		begin()
	}
	//atomrace:ignore mixed-atomic-plain an old value is watched, or not, a little longer
	return restingAll != 0
}

// Activations are counted apart by where the stack is, so that processors seldom count in
// the same place; that some are lost does not matter. Every batch goes into the phase.
const (
	batch     = 128
	stackBits = 11
)

var begun [64]struct {
	n uint64
	_ [120]byte // whole cache lines, two at a time
}

// begin counts the activation.
//
//go:norace
//go:noinline
func begin() {
	var here byte
	c := &begun[uintptr(unsafe.Pointer(&here))>>stackBits%uintptr(len(begun))]
	c.n++
	if c.n%batch == 0 {
		batchOver()
	}
}

// phase is what goes on; whoever sets turning may read and change the rest.
var phase struct {
	left    int64 // activations until its end
	turning uint32
	length  int64
	began   time.Duration // in processor time
	meter   meter
	budget  float64 // that the meter is for; 0 is none yet
	awake   bool    // sections do not rest, see rouse
}

// batchOver takes a batch off the phase, and turns to the next one after the last.
func batchOver() {
	if atomic.AddInt64(&phase.left, -batch) > 0 {
		return
	}
	_ = settings() // may take locks, which nobody may who turns
	if !atomic.CompareAndSwapUint32(&phase.turning, 0, 1) {
		return
	}
	defer atomic.StoreUint32(&phase.turning, 0)
	if phase.budget == 0 {
		return
	}
	now := usedTime()
	if phase.length > 0 {
		rests := atomic.LoadUint64(&resting)
		next := phase.meter.over(phase.budget, rests != 0, float64(phase.length-atomic.LoadInt64(&phase.left)), now-phase.began)
		if next != (rests != 0) {
			atomic.CompareAndSwapUint64(&resting, rests, 1-rests)
			turnSections()
		}
		budgeted.Store(phase.meter.found())
	}
	phase.began = now
	phase.length = max(batch, int64(phase.meter.length))
	atomic.StoreInt64(&phase.left, phase.length)
}

// turnSections lets sections rest if the light hooks do and nothing is healed. Who calls
// it has set phase.turning.
func turnSections() {
	var rest, counts uint64
	if !phase.awake {
		rest, counts = atomic.LoadUint64(&resting), atomic.LoadUint64(&budgeting)
	}
	atomic.StoreUint64(&budgetingAll, counts)
	atomic.StoreUint64(&restingAll, rest)
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
	turnSections()
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
	var rest, counts uint64
	var budget float64
	switch {
	case c.off:
		rest = 1
	case c.noise.perMille > 0:
	case c.rests:
		rest = 1
	case c.budget > 0:
		counts, budget = 1, c.budget
	}
	takeTurn()
	defer atomic.StoreUint32(&phase.turning, 0)
	phase.awake = phase.awake || c.wakes() // until rouse knows better
	if budget > 0 && budget == phase.budget {
		turnSections()
		return
	}
	atomic.StoreUint64(&budgeting, counts)
	atomic.StoreUint64(&resting, rest)
	turnSections()
	atomic.StoreInt64(&phase.left, 0)
	phase.length, phase.meter, phase.budget = 0, meter{}, budget
	budgeted.Store(nil)
}
