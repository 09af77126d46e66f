//go:build !atomrace_off

package heal

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// Who finds a fast section under way waits a little for its end before making an
// ordinary one of it, and who finds ordinary ones waits for the bucket to open again,
// so that short sections stay fast, or are so again soon, although many goroutines
// come. It looks at the word ever more rarely, for each look takes it out of the
// owner's cache: it spins, yields, and then sleeps. While the others sleep the owner
// goes on at full speed, as a sync.Mutex lets it.
const (
	spinLooks  = 6                     // looks between which it spins
	spinYields = 2                     // looks between which it yields
	spinNap    = 20 * time.Microsecond // it sleeps so long at first, and then longer
	spinSleep  = 500 * time.Microsecond
)

// spins tries to begin the section of l over p the fast way while somebody else is in
// the way, and reports whether that has come about.
//
//go:norace
func (f *Frame) spins(l *Location, p unsafe.Pointer) bool {
	if uintptr(p) < firstAddress || f.stack.holds(p) || f.pending() || f.now != nil {
		return false
	}
	b, gd := place(uintptr(p))
	looks, nap, slept := 0, spinNap, time.Duration(0)
	var holder *Section
	var start time.Time
	for {
		switch owner := atomic.LoadUint64(&b.owner); {
		case owner == 0 && f.begins(l, p):
			if slept > 0 {
				keptOut(holder)
				waited(holder, time.Since(start))
			}
			return true
		case owner&^flagged == uint64(f.g), owner == flagged && (looks == 0 || slept > 0) && b.keeps(gd, f.g):
			return false
		}
		switch looks++; {
		case looks <= spinLooks:
			for range 20 << looks {
			}
		case looks <= spinLooks+spinYields:
			runtime.Gosched()
		case slept >= spinSleep || f.activation != nil || f.sites != 0:
			return false
		default:
			if slept == 0 {
				start = time.Now()
				if at := entryAt(uintptr(p)); at != nil && at.Var.info() == l.Var.info() {
					holder = at.Entry[0]
				}
			}
			time.Sleep(nap)
			slept += nap
			nap += nap / 2
		}
	}
}

// keeps reports whether it is no use for g to wait until b is open: g has a healing
// lock there itself, or it is sections which are not healed that keep it closed.
//
//go:norace
func (b *bucket) keeps(gd *guard, g G) bool {
	gd.Lock()
	useless := b.locks == nil
	for h := b.locks; h != nil; h = h.next {
		useless = useless || h.owner == g
	}
	gd.Unlock()
	return useless
}
