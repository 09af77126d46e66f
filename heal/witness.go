//go:build !atomrace_off

package heal

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// A mark names a location but no goroutine: there is no room in the word. Who
// runs into a foreign mark for the first time therefore waits a moment as a
// witness, and the mark's owner tells its goroutine and stack when it clears.

// witnessed counts the waiting witnesses. For the owners of marks it is a
// hint: a stale value costs a stack in a report.
var witnessed uint64

var witnesses struct {
	sync.Mutex
	list [16]*witness // more at a time go without the other side's stack
}

type witness struct {
	mark      Marked
	answered  bool
	goroutine uint64
	stack     []uintptr
	created   *Creation
}

// testify answers the witnesses that ran into m with the caller's identity.
//
//go:norace
func testify(m Marked) {
	if !asked(m) {
		return
	}
	id, stack, created := goroutineID(), callers(), creation()
	quiet()
	witnesses.Lock()
	for i := range witnesses.list {
		if w := witnesses.list[i]; w != nil && w.mark == m && !w.answered {
			w.answered, w.goroutine, w.stack, w.created = true, id, stack, created
		}
	}
	witnesses.Unlock()
	loud()
}

// asked reports whether a witness wants to know who set m.
//
//go:norace
func asked(m Marked) bool {
	quiet()
	witnesses.Lock()
	found := false
	for i := range witnesses.list {
		w := witnesses.list[i]
		found = found || w != nil && w.mark == m && !w.answered
	}
	witnesses.Unlock()
	loud()
	return found
}

// raced is called when l is about to access bytes at which the mark other
// stands: the two accesses are not ordered, and one of them writes.
//
//go:norace
func raced(at *uint64, other uint64, l *Location, p unsafe.Pointer) {
	var seen change
	if other&wordWrite != 0 && l.isWord(other, p) {
		seen.before = l.valueAt(p)
	}
	w := &witness{mark: Marked{at, other}}
	m := w.mark.at()
	if m == nil {
		return
	}
	suspect(l)
	suspect(m)
	if unreported(reportKey{end: m, foreign: l}) {
		w.await()
		seen.after = l.valueAt(p)
	}
	if seen.before.kind == KindNone || seen.after == seen.before {
		seen = change{}
	}
	reportRace(m, l, uintptr(p), Access{Goroutine: w.goroutine, stack: copyOf(w.stack), created: w.created.copied(), change: seen})
}

// suspect remembers for the noise that l is worth a closer look.
//
//go:norace
func suspect(l *Location) {
	l.suspected = true
	l.Var.info().suspected = true
}

// await gives the owner of the mark a short while to answer: at most some two
// milliseconds, once for each distinct race.
//
//go:norace
func (w *witness) await() {
	if !w.replace(nil, w) {
		return
	}
	for i := 0; i < 400 && !w.settled(); i++ {
		if i < 360 || inBubble() {
			runtime.Gosched()
		} else {
			time.Sleep(50 * time.Microsecond)
		}
	}
	w.replace(w, nil)
}

// replace puts the witness new where old is in the list.
//
//go:norace
func (w *witness) replace(old, new *witness) (done bool) {
	quiet()
	witnesses.Lock()
	for i := range witnesses.list {
		if !done && witnesses.list[i] == old {
			witnesses.list[i] = new
			done = true
		}
	}
	if done && new != nil {
		atomic.AddUint64(&witnessed, 1)
	} else if done {
		atomic.AddUint64(&witnessed, ^uint64(0))
	}
	witnesses.Unlock()
	loud()
	return done
}

// settled reports whether waiting on is pointless: the owner has answered, or
// its mark is gone.
//
//go:norace
func (w *witness) settled() bool {
	quiet()
	witnesses.Lock()
	answered := w.answered
	witnesses.Unlock()
	loud()
	return answered || loadWord(w.mark.slot) != w.mark.word
}
