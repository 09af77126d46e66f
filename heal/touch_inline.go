//go:build !race && !atomrace_off && (amd64 || arm64)

package heal

import "unsafe"

// These hooks are for locations at which no section begins or ends. Most of the
// time nobody is in a section over what they access, and then they are a load
// and a jump in the program itself.

// Reach comes before a read of *p: the read is Peek(l, Reach(l, p)). If
// somebody is in a section over *p, it is Load, and what is returned points to
// the value that was read.
func Reach[T any](l *Location, p *T) *T {
	//atomrace:ignore mixed-atomic-plain an old value misses an access at most
	if words[uintptr(unsafe.Pointer(p))>>3&(1<<bucketBits-1)]|wary == 0 {
		return p
	}
	return reach(l, p)
}

// Touch is Before for a write to the size bytes at p, and reports whether After
// is needed.
func (f *Frame) Touch(l *Location, p unsafe.Pointer, size uintptr) bool {
	//atomrace:ignore mixed-atomic-plain an old value misses an access at most
	return words[uintptr(p)>>3&(1<<bucketBits-1)]|wary != 0 && f.touch(l, p, size)
}
