//go:build !atomrace_off

package heal

import (
	"sync/atomic"
	"unsafe"
)

// An update, x.f++ or x.f += n, is most of the sections that there are, and all of
// one: it begins with the read and ends with the write, with nothing in between that
// could call, block or panic. Around it stand Enter and Leave, in the place of the
// hooks of the two accesses: no Frame, nothing deferred, one call and what Leave is
// inlined to. They do what these hooks do while nobody else is near:
//
//   - not healed, it is a quick section (quick.go), with the race mark around both
//     accesses;
//   - healed by the lock, it is a fast section (fast.go). There is no race mark: who
//     accesses the variable asks for the lock.
//
// In every other case Enter says no, and the program goes on with the hooks of the
// two accesses. As in a Frame, the section is in the tables from before the read until
// after the write, so that the argument of safety.go is the same.

// Enter comes before an update of the size bytes at p: the section of first, where it
// reads, ends at last, where it writes. ok says that it has been entered; then the
// update follows at once, and Leave. Else it is hooked as two accesses. s is the
// caller's Self.
//
//go:norace
func Enter(s *Stack, first, last *Location, p unsafe.Pointer, size uintptr) (word *uint64, ok bool) {
	if loadWord(&polling) != 0 {
		poll() // in place of the end of a Frame
	}
	//atomrace:ignore mixed-atomic-plain an old value misses an access at most
	if first.quick == generation {
		w := &words[bucketNumber(uintptr(p))]
		if loadWord(w)|loadWord(slotOf(uintptr(p))) != 0 || uintptr(p) < firstAddress || s.holds(p) {
			return nil, false
		}
		Mark(s, last, p, size)
		storeWord(w, s.tag().tag())
		return nil, true
	}
	b := bucketOf(uintptr(p))
	//atomrace:ignore mixed-atomic-plain who has an old value takes the lock once more or not yet
	if first.fast != fastGeneration || uintptr(p) < firstAddress || s.holds(p) ||
		!atomic.CompareAndSwapUint64(&b.owner, 0, uint64(s.tag())) {
		return nil, false
	}
	storeAddress(&b.entry, uintptr(unsafe.Pointer(first)))
	return &b.owner, true
}

// Leave comes directly after the update; word is what Enter returned.
func Leave(word *uint64, s *Stack, first, last *Location, p unsafe.Pointer, size uintptr) {
	if word == nil || !atomic.CompareAndSwapUint64(word, uint64(s.tag()), 0) {
		s.leave(word, first, last, p, size)
	}
}

// leave ends a quick section, or one that others have come near.
//
//go:norace
//go:noinline
func (s *Stack) leave(word *uint64, first, last *Location, p unsafe.Pointer, size uintptr) {
	if word == nil {
		Clear(window(last, uintptr(p), size))
		if w := &words[bucketNumber(uintptr(p))]; loadWord(w) == s.tag().tag() {
			storeWord(w, 0)
			return
		}
	}
	s.judge(word, first, last, p)
}

// judge is what comes after the update where somebody else has revealed the section.
//
//go:norace
//go:noinline
func (s *Stack) judge(word *uint64, first, last *Location, p unsafe.Pointer) {
	f := Frame{g: s.tag(), stack: s}
	if word != nil {
		f.setFast(hidden(p))
		f.endFast(last, p)
	} else {
		f.open[0], f.count = quick{hidden(p), first, 1}, 1
		f.finishQuickly(last, p)
	}
	f.End()
}
