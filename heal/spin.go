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
// come. It looks at the word a few times in a row, ever more rarely, for each look
// takes it out of the owner's cache; then it yields, and then it sleeps: while the
// others sleep the owner goes on at full speed, as a sync.Mutex lets it. Whoever wakes
// up mostly finds the word free for a moment and becomes the one who goes on.
const (
	spinLooks  = 6                     // looks in a row
	spinYields = 2                     // rows that end in a yield, before those that end in sleep
	spinNap    = 20 * time.Microsecond // the first sleep; each one is longer than the one before
	spinSleep  = 2 * time.Millisecond  // after that the section under way is made an ordinary one
)

// spins tries to begin the section of l over p the fast way while somebody else is in
// the way, and reports whether that has come about.
//
//go:norace
func (f *Frame) spins(l *Location, p unsafe.Pointer) bool {
	if !f.mayBeFast(p) {
		return false
	}
	b, gd := place(uintptr(p))
	if atomic.LoadUint64(&b.owner) == flagged && b.keeps(gd, f.g) {
		return false
	}
	for range spinYields {
		if done, ok := f.looks(b, l, p); done {
			return ok
		}
		runtime.Gosched()
	}
	if f.activation != nil || f.sites != 0 {
		return false // it may hold what the owner waits for
	}
	start, holder := time.Now(), (*Section)(nil)
	if at := entryAt(uintptr(p)); at != nil && at.Var.info() == l.Var.info() {
		holder = at.begins()
	}
	defer func() { delayed(holder, time.Since(start)) }()
	bound := min(spinSleep, settings().wait)
	for nap, slept := spinNap, time.Duration(0); slept < bound; nap += nap / 4 {
		if done, ok := f.looks(b, l, p); done {
			if ok {
				keptOut(holder)
				waited(holder, time.Since(start))
			}
			return ok
		}
		if slept > 0 && atomic.LoadUint64(&b.owner) == flagged && b.keeps(gd, f.g) {
			return false
		}
		time.Sleep(nap)
		slept += nap
	}
	return false
}

// looks tries to begin the section, which may be fast, a few times in a row; done says
// that there is no more to try.
//
//go:norace
func (f *Frame) looks(b *bucket, l *Location, p unsafe.Pointer) (done, ok bool) {
	for i := range spinLooks {
		switch owner := atomic.LoadUint64(&b.owner); {
		case owner == 0 && f.takes(l, p):
			return true, true
		case owner&^flagged == uint64(f.g):
			return true, false // it is our own
		}
		for range 40 << i {
		}
	}
	return false, false
}

// keeps reports whether it is no use for g to wait until b is open: g has a healing
// lock there itself, or it is sections which are not healed that keep it closed.
//
//go:norace
func (b *bucket) keeps(gd *guard, g G) bool {
	gd.Lock()
	useless := b.locks() == nil
	for h := b.locks(); h != nil; h = h.next {
		useless = useless || h.owner == g
	}
	gd.Unlock()
	return useless
}
