//go:build !atomrace_off

package heal

import "unsafe"

// The light hooks serve variables that are in no section: papers/001 Figure 2
// alone, without a Frame. Readers look for a foreign writer's mark and leave
// none; a writer looks, and its window is open from Mark to Clear and holds the
// access alone. What stands in light_inline.go is small enough to be inlined
// into the program; everything else happens in look, in the rare case that
// there is something to see or that the settings ask for attention.

// alert is not 0 while every light hook has to be seen to: before the settings
// are known, under noise, and when watching is off. Read without
// synchronisation: a hook that sees the old value acts on the old settings.
var alert uint64 = 1

// look opens the eyes for a foreign access to the size bytes at p. With noise
// it also stretches the window of l: it leaves a mark, lets others run, and
// takes the mark away again, since who reads has none and who writes puts its
// own next.
//
//go:norace
func look(l *Location, p unsafe.Pointer, size uintptr) {
	c := settings()
	if c.off || onOwnStack(p) {
		return
	}
	if c.noise.perMille > 0 && !l.Full {
		c.stretch(l, p, size)
		return
	}
	touch(l, p, size, false).clear()
}

// stretch keeps a window of l open while the noise lasts. It looks for others when the
// window opens and once more when it closes: meanwhile another may have put its mark
// over ours, so that the next one did not find it.
//
//go:norace
func (c *config) stretch(l *Location, p unsafe.Pointer, size uintptr) {
	addr := uintptr(p)
	if size == 0 || addr < firstAddress {
		return
	}
	m := window(l, addr, size)
	n := Marked{&long[addr>>longWord&(1<<slotBits-1)], m.word}
	_ = l.meets(n, p) || l.meets(m, p)
	m.set(l)
	n.set(l)
	c.delay(l, ahead)
	n.clear()
	m.clear()
	_ = l.meets(n, p) || l.meets(m, p)
}

// meets reports a race if there is a mark in the slot of l's window m that it collides
// with, and whether there is. The window is not open.
//
//go:norace
func (l *Location) meets(m Marked, p unsafe.Pointer) bool {
	other := loadWord(m.slot)
	if other == 0 || !collide(other, m.word) {
		return false
	}
	raced(m.slot, other, l, p)
	return true
}

// MapPeek is an instrumented m[k].
func MapPeek[M ~map[K]V, K comparable, V any](l *Location, m M, k K) V {
	Look(l, MapPointer(m), 1)
	return m[k]
}

// MapPeek2 is an instrumented v, ok := m[k].
func MapPeek2[M ~map[K]V, K comparable, V any](l *Location, m M, k K) (V, bool) {
	Look(l, MapPointer(m), 1)
	v, ok := m[k]
	return v, ok
}

// MapPeekLen is an instrumented len(m).
func MapPeekLen[M ~map[K]V, K comparable, V any](l *Location, m M) int {
	Look(l, MapPointer(m), 1)
	return len(m)
}

// MarkMap comes before m[k] = v and delete(m, k), Clear directly after it. If
// the access is going to panic, for a nil map or a key that cannot be
// compared, it leaves no mark behind.
func MarkMap[M ~map[K]V, K comparable, V any](s *Stack, l *Location, m M, k K) Marked {
	p := MapPointer(m)
	if p == nil || !simple[K]() && !usable(any(k)) {
		return Marked{}
	}
	Look(l, p, 1)
	return Mark(s, l, p, 1)
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
