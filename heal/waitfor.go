//go:build !atomrace_off

package heal

import "sync"

// The wait-for graph: who waits for which healing lock, and by the locks' owners
// for whom. Holds are in it like any other healing lock. A goroutine that begins
// to wait adds its edge and follows the chain of owners in one step; if it comes
// back to itself the wait could end only by its bound, so it is given up at once.
//
// That is complete: a cycle comes into being only when an owner begins to wait,
// for who is granted a lock is not waiting any more, and of the waits that make up
// a cycle the last one to begin finds all the others. It is sound but for one
// case: while the chain is followed, a wait in the middle of it may come to its
// end. Then a lock is skipped that could have been had a moment later, as if the
// bound had passed. Who waits for a fast section (spin.go), up to 2 ms, asks for the
// lock after that, and only then is in the graph.
//
// Locks of the program are not in it. The rewriter has Holds ahead of them, which
// keep such cycles from coming into being where the order can be proved, but no hooks
// that say who has one: that would take one after each Lock, RLock and TryLock and one
// before each Unlock, also those that lie in modules without hooks, behind
// sync.Locker, in Cond.Wait or in a goroutine other than the one that locked, and an
// Unlock that is not seen leaves an owner behind who has let go long since; the edges
// that follow from it are false, and each of them would take a healing lock away from
// somebody who could have had it, which lets violations through. The bound is there
// for what nobody knows, and is enough: a cycle with a lock of the program in it lasts
// for one wait for one owner (ATOMRACE's wait; TestCycleThroughTheProgramsLock measures
// it), for after that nobody waits for that owner again until it has given the healing
// lock back, and ten of them open the breaker.
var waits [waitBuckets]struct {
	sync.Mutex
	first *waiter
	_     [48]byte
}

// graph lets one goroutine at a time add an edge and look.
var graph sync.Mutex

const (
	waitBuckets = 64
	maxChain    = 64 // owners that are followed; a longer cycle ends by the bound
)

// enlist adds w to the graph and reports whether it closes a cycle.
//
//go:norace
func (w *waiter) enlist() (cycle bool) {
	quiet()
	graph.Lock()
	b := &waits[w.g.waitBucket()]
	b.Lock()
	w.other, b.first = b.first, w
	b.Unlock()
	h := w.lock
	for range maxChain {
		owner := h.ownedBy()
		if cycle = owner == w.g; cycle || owner == 0 {
			break
		}
		if h = owner.waitsFor(); h == nil {
			break
		}
	}
	graph.Unlock()
	loud()
	return cycle
}

// withdraw takes w out of the graph.
//
//go:norace
func (w *waiter) withdraw() {
	quiet()
	b := &waits[w.g.waitBucket()]
	b.Lock()
	for p := &b.first; *p != nil; p = &(*p).other {
		if *p == w {
			*p = w.other
			break
		}
	}
	b.Unlock()
	loud()
}

//go:norace
func (g G) waitBucket() uintptr { return uintptr(g) >> 5 % waitBuckets }

// waitsFor is the lock that g waits for, or nil.
//
//go:norace
func (g G) waitsFor() (h *healingLock) {
	b := &waits[g.waitBucket()]
	b.Lock()
	for w := b.first; w != nil; w = w.other {
		if w.g == g {
			h = w.lock
			break
		}
	}
	b.Unlock()
	return h
}

// ownedBy is h's owner, 0 if there is none.
//
//go:norace
func (h *healingLock) ownedBy() G {
	_, gd := place(h.inst.addr)
	gd.Lock()
	g := h.owner
	gd.Unlock()
	return g
}
