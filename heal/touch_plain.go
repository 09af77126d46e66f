//go:build !atomrace_off && (race || (!amd64 && !arm64))

package heal

import "unsafe"

// Under the race detector the hooks must not be inlined, or it would see their
// accesses. See touch_inline.go for what they mean.

// Reach comes before a read of *p at a location at which no section begins or
// ends: the read is Peek(l, Reach(l, p)).
func Reach[T any](l *Location, p *T) *T {
	if f := Begin(); l.quick == generation && f.passes(l, unsafe.Pointer(p)) {
		return p
	}
	return reach(l, p)
}

// Touch is Before for a write to the size bytes at p, and reports whether After
// is needed.
func (f *Frame) Touch(l *Location, p unsafe.Pointer, size uintptr) bool { return f.touch(l, p, size) }
