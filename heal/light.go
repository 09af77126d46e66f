package heal

import "unsafe"

// The light hooks serve variables that are in no section: papers/001 Figure 2
// alone, without a Frame. A window is opened by Mark and closed by Clear, and
// holds only the access.

// Peek is an instrumented read of *p.
func Peek[T any](g G, l *Location, p *T) T {
	m := glance(l, unsafe.Pointer(p), unsafe.Sizeof(*p))
	v := *p
	m.clear()
	return v
}

// Mark comes before a write to the size bytes at p, Clear directly after it.
func Mark(g G, l *Location, p unsafe.Pointer, size uintptr) Marked { return glance(l, p, size) }

// Clear closes the window that Mark opened.
func Clear(m Marked) { m.clear() }

// MapPeek is an instrumented m[k].
func MapPeek[M ~map[K]V, K comparable, V any](g G, l *Location, m M, k K) V {
	w := MarkMap(g, l, m, k)
	v := m[k]
	w.clear()
	return v
}

// MapPeek2 is an instrumented v, ok := m[k].
func MapPeek2[M ~map[K]V, K comparable, V any](g G, l *Location, m M, k K) (V, bool) {
	w := MarkMap(g, l, m, k)
	v, ok := m[k]
	w.clear()
	return v, ok
}

// MapPeekLen is an instrumented len(m).
func MapPeekLen[M ~map[K]V, K comparable, V any](g G, l *Location, m M) int {
	w := glance(l, MapPointer(m), 1)
	n := len(m)
	w.clear()
	return n
}

// MarkMap comes before m[k] = v and delete(m, k), Clear directly after it. If
// the access is going to panic, for a nil map or a key that cannot be
// compared, it leaves no mark behind.
func MarkMap[M ~map[K]V, K comparable, V any](g G, l *Location, m M, k K) Marked {
	p := MapPointer(m)
	if p == nil || !simple[K]() && !usable(any(k)) {
		return Marked{}
	}
	return glance(l, p, 1)
}

// simple reports whether K is one of the common key types that can always be
// compared, and need no boxing to find out.
func simple[K comparable]() bool {
	var k K
	switch any(k).(type) {
	case string, bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr:
		return true
	}
	return false
}

// glance opens a window unless the access cannot race.
//
//go:norace
func glance(l *Location, p unsafe.Pointer, size uintptr) Marked {
	c := settings()
	if c.off || p == nil {
		return Marked{}
	}
	noisy := c.noise.perMille > 0
	if !noisy && l.Mode&Write == 0 && loadWord(slotOf(uintptr(p))) == 0 {
		return Marked{} // a reader that nobody meets, on its stack or elsewhere
	}
	if onOwnStack(p) {
		return Marked{}
	}
	m := touch(l, p, size, noisy)
	if noisy {
		c.delay(l)
	}
	return m
}
