//go:build !atomrace_off

package heal

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"
)

// Counting an activation may take as long as a hook or two, which is much for a short
// function, and a program may have nothing else. So only some functions count while the
// program rests. The rewriter has dealt them out to groups. While the program watches, all
// groups count; those that are called most among those that can afford it, and all that are
// called less, go on counting at rest, and phases are measured in their activations: what is
// called seldom comes in bursts, and tells little of how much the program does. The code of
// short functions counts by itself (Tick), where a call would have it keep its registers;
// others call Activated.
//
// Groups that were not called at all go on as well: where a program turns to other
// functions, they count. Only while it rests in functions that were called most, and calls
// no others any more, does nobody notice the end of the phase.

const (
	groups    = 32 // rewrite/thin.go knows
	batch     = 64
	stackBits = 11
	// looked is how many batches of one group may go by until somebody looks whether the
	// phase is overdue.
	looked = 256
	// So many activations in a second, while it watches, are counted at rest: not many more
	// if there is a choice, for each takes up to 2 ns and a program that rests may call
	// them three times as often, and not fewer.
	mostCounted, leastCounted = 5e5, 1e5
)

// Activations are counted apart by where the stack is, so that processors seldom count in
// the same place; that some are lost does not matter. Every batch goes into the phase.
var begun [64][groups]uint32 // whole cache lines, two at a time

// phaseCounts are the activations of each group in the phase, as far as they are counted.
var phaseCounts [groups]int64

// Tick counts an activation of a function of the group. It says yes after the last one of
// a batch, and BatchOver is to be called then.
//
//go:norace
func Tick(group int) bool {
	var here byte
	n := &begun[uintptr(unsafe.Pointer(&here))>>stackBits%uintptr(len(begun))][group%groups]
	*n++
	return *n%batch == 0
}

// Activated is Tick and BatchOver in one.
//
//go:norace
//go:noinline
func Activated(group int) {
	if Tick(group) {
		BatchOver(group)
	}
}

// BatchOver takes a batch into the phase, and turns to the next one after the last.
//
//go:noinline
func BatchOver(group int) {
	n := atomic.AddInt64(&phaseCounts[group], batch)
	if countsAtRest().has(group) && atomic.AddInt64(&phase.left, -batch) <= 0 || n%(looked*batch) == 0 {
		nextPhase()
	}
}

// forget begins to count anew.
func forget() {
	for g := range phaseCounts {
		atomic.StoreInt64(&phaseCounts[g], 0)
	}
}

// choice is a set of groups.
type choice uint32

const everyGroup = 1<<groups - 1

// atRest are those that count while the program rests, a choice.
var atRest uint32 = everyGroup

func countsAtRest() choice { return choice(atomic.LoadUint32(&atRest)) }

func (c choice) has(group int) bool { return c>>group&1 != 0 }

// sum is how many activations of the groups were counted in the phase.
func (c choice) sum() (sum float64) {
	for g := range phaseCounts {
		if c.has(g) {
			sum += float64(atomic.LoadInt64(&phaseCounts[g]))
		}
	}
	return sum
}

// better returns the groups that should count after a phase in which all did. It sticks to
// those of c if they are as good.
func (c choice) better(took time.Duration) choice {
	most, least := mostCounted*took.Seconds(), leastCounted*took.Seconds()
	old := c.sum()
	if least/2 <= old && old <= 4*most {
		return c
	}
	var order [groups]int
	var n [groups]int64
	for g := range order {
		order[g], n[g] = g, atomic.LoadInt64(&phaseCounts[g])
	}
	slices.SortFunc(order[:], func(a, b int) int { return cmp.Compare(n[b], n[a]) })
	var better choice
	sum := 0.0
	for _, g := range order {
		if sum+float64(n[g]) <= most {
			better |= 1 << g
			sum += float64(n[g])
		}
	}
	for _, g := range slices.Backward(order[:]) {
		if sum < least && !better.has(g) {
			better |= 1 << g
			sum += float64(n[g])
		}
	}
	if old > most && sum > old/2 {
		return c
	}
	return better
}
