//go:build !atomrace_off && (race || (!amd64 && !arm64))

package heal

import "unsafe"

// Under the race detector the hooks must not be inlined, or it would see their
// accesses; elsewhere a plain store may tear. See light_inline.go for what they
// mean.

// Peek is an instrumented read of *p.
func Peek[T any](l *Location, p *T) T {
	Look(l, unsafe.Pointer(p), unsafe.Sizeof(*p))
	return *p
}

// Look comes before a read of, or directly before Mark for a write to, the size
// bytes at p.
//
//go:norace
func Look(l *Location, p unsafe.Pointer, size uintptr) {
	if alert != 0 || loadWord(slotOf(uintptr(p))) != 0 {
		look(l, p, size)
	}
}

// Mark opens the window of a write to the size bytes at p, directly after Look;
// Clear, directly after the write, closes it. s is the caller's Self. On the
// caller's own stack there is nothing to watch.
//
//go:norace
func Mark(s *Stack, l *Location, p unsafe.Pointer, size uintptr) Marked {
	if size == 0 || onOwnStack(p) {
		return Marked{}
	}
	m := window(l, uintptr(p), size)
	m.word |= wordWrite
	m.set(l)
	return m
}

// Clear closes the window that Mark opened.
func Clear(m Marked) { m.clear() }
