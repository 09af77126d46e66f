//go:build !atomrace_off

package heal

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// With ATOMRACE's budget, the light hooks cost no more than that share of what the
// program needs without them. The rewriter has put functions into the program twice,
// with light hooks and without, and asks as each activation begins which one to run.
// All goroutines watch at the same time, and rest at the same time: two accesses meet
// only if both are watched, and if each goroutine drew lots for itself a tenth of the
// activations would find a hundredth of the races. Sections are watched always, for
// what heals must not rest.
//
// A phase lasts for a number of activations, counted in the functions in which BeginUnwatched
// asks, those with loops and the long ones. The processor time that the process takes for
// as many of them while it watches and while it rests, in turn, says what watching costs
// here and now (budgetmeter.go).

// resting is not 0 while nothing is watched but sections; budgeting is not 0 if there is a
// budget to keep, and before the settings are known. Like alert, they are read without
// synchronisation: who sees an old value acts on it a little longer.
var (
	resting   uint64
	budgeting uint64 = 1
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
	//atomrace:ignore mixed-atomic-plain an old value is watched, or not, a little longer
	return budgeting|resting != 0 && begin()
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
func begin() bool {
	var here byte
	c := &begun[uintptr(unsafe.Pointer(&here))>>stackBits%uintptr(len(begun))]
	c.n++
	if c.n%batch == 0 {
		batchOver()
	}
	return loadWord(&resting) != 0
}

// phase is what goes on; whoever sets turning may read and change the rest.
var phase struct {
	left    int64 // activations until its end
	turning uint32
	length  int64
	began   time.Duration // in processor time
	meter   meter
	budget  float64 // that the meter is for; 0 is none yet
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
		}
		budgeted.Store(phase.meter.found())
	}
	phase.began = now
	phase.length = max(batch, int64(phase.meter.length))
	atomic.StoreInt64(&phase.left, phase.length)
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
	for !atomic.CompareAndSwapUint32(&phase.turning, 0, 1) {
		runtime.Gosched() // some dozen instructions and a system call of somebody else's
	}
	defer atomic.StoreUint32(&phase.turning, 0)
	if budget > 0 && budget == phase.budget {
		return
	}
	atomic.StoreUint64(&budgeting, counts)
	atomic.StoreUint64(&resting, rest)
	atomic.StoreInt64(&phase.left, 0)
	phase.length, phase.meter, phase.budget = 0, meter{}, budget
	budgeted.Store(nil)
}
