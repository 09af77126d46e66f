//go:build !atomrace_off && !race && (amd64 || arm64)

package heal

import "unsafe"

// These hooks are written for the inliner, whose budget the first two exhaust:
// a test says that it takes them all. They load slots and alert plainly: what
// matters is only that a mark which was stored before a release is seen after
// the acquire, or taken back by then.

// Peek is an instrumented read of *p.
func Peek[T any](l *Location, p *T) T {
	//atomrace:ignore mixed-atomic-plain an old value misses an access at most
	if slots[uintptr(unsafe.Pointer(p))>>granule&(1<<slotBits-1)]|alert != 0 {
		look(l, unsafe.Pointer(p), unsafe.Sizeof(*p))
	}
	return *p
}

// Look comes before a read of, or directly before Mark for a write to, the size
// bytes at p.
func Look(l *Location, p unsafe.Pointer, size uintptr) {
	//atomrace:ignore mixed-atomic-plain an old value misses an access at most
	if slots[uintptr(p)>>granule&(1<<slotBits-1)]|alert != 0 {
		look(l, p, size)
	}
}

// Mark opens the window of a write to the size bytes at p, directly after Look;
// Clear, directly after the write, closes it. s is the caller's Self. On the
// caller's own stack there is nothing to watch.
func Mark(s *Stack, l *Location, p unsafe.Pointer, size uintptr) (m Marked) {
	if !s.holds(p) && size > 0 {
		m.slot = &slots[uintptr(p)>>granule&(1<<slotBits-1)]
		m.word = uint64(uintptr(p))<<wordAddress | uint64(min(size, maxLength))<<wordLength | wordWrite
		locations[uintptr(p)>>granule&(1<<slotBits-1)] = uintptr(unsafe.Pointer(l))
		*m.slot = m.word
	}
	return m
}

// Clear closes the window that Mark opened.
func Clear(m Marked) {
	if m.slot != nil {
		if witnessed != 0 {
			testify(m)
		}
		*m.slot = 0
	}
}
