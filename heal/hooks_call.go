//go:build !atomrace_off

package heal

import "unsafe"

// The Do functions are instrumented accesses that are calls themselves: the
// methods and functions of sync/atomic, and methods of the program that access a
// field, where a section begins or ends with what they do. DoNM calls fn with N arguments and M
// results. The arguments are evaluated before, so that the window holds the
// access alone; p is the address of the variable. Such accesses take no part
// in the primitive race detection, and count as foreign accesses only when
// they lie wholly inside a section.

// Field is the address of the field at the offset in the object at p, nil if p is.
func Field(p unsafe.Pointer, offset uintptr) unsafe.Pointer {
	if p == nil {
		return nil
	}
	return unsafe.Add(p, offset)
}

//go:norace
func (f *Frame) beforeCall(l *Location, p unsafe.Pointer) {
	if l.quick == generation && f.passesCall(l, p) {
		return
	}
	if f.ready(l, p) {
		f.before(l, p, 0, true)
	}
}

//go:norace
func (f *Frame) afterCall(l *Location, p unsafe.Pointer, mode Mode) {
	switch {
	case f.pending():
		f.after(l, mode, p)
	// An old generation sends the access to bookkeeping, or to a cell that its reader gives back
	case len(l.entries()) > 0 && l.quick == generation && uintptr(p) >= firstAddress && !onOwnStack(p):
		f.enterAfterCall(l, p)
	}
}

// passesCall is passes for an access that is a call: a section that ends here
// ends before it, and one that begins here begins after it.
//
//go:norace
func (f *Frame) passesCall(l *Location, p unsafe.Pointer) bool {
	w := loadWord(bucketOf(uintptr(p)).word())
	if w != 0 && w != f.g.tag() || f.pending() {
		return false
	}
	if w != 0 && f.count != 0 && len(l.endings()) > 0 {
		f.finishQuickly(l, p)
		return !f.pending()
	}
	return true
}

// enterAfterCall opens the sections of l, whose access is over.
//
//go:norace
func (f *Frame) enterAfterCall(l *Location, p unsafe.Pointer) {
	if f.enters(l, p) {
		return
	}
	c := settings()
	b, gd := place(uintptr(p))
	in := instance{v: l.Var.info(), addr: uintptr(p)}
	f.expand()
	gd.lock(b, &in)
	if f.count != 0 && f.quickIn(b) {
		f.adopt(b, gd)
	}
	if f.enterIn(c, b, gd, l, &in, p) {
		mine := b.of(&in, f.g)
		for i := range mine.opens {
			mine.opens[i].fresh = false
		}
	}
	gd.unlock(b)
	f.shrink()
}

// unwind ends the window if fn panics; it is deferred by all the Do functions.
func (f *Frame) unwind() {
	if f.pending() {
		f.abandon()
	}
}

// Do00 calls fn().
func Do00(f *Frame, l *Location, p unsafe.Pointer, fn func()) {
	f.beforeCall(l, p)
	defer f.unwind()
	fn()
	f.afterCall(l, p, l.Mode)
}

// Do01 calls fn() with a result.
func Do01[R any](f *Frame, l *Location, p unsafe.Pointer, fn func() R) R {
	f.beforeCall(l, p)
	defer f.unwind()
	r := fn()
	f.afterCall(l, p, l.Mode)
	return r
}

// Do02 calls fn() with two results.
func Do02[R, S any](f *Frame, l *Location, p unsafe.Pointer, fn func() (R, S)) (R, S) {
	f.beforeCall(l, p)
	defer f.unwind()
	r, s := fn()
	f.afterCall(l, p, l.Mode)
	return r, s
}

// Do10 calls fn(a).
func Do10[A any](f *Frame, l *Location, p unsafe.Pointer, fn func(A), a A) {
	f.beforeCall(l, p)
	defer f.unwind()
	fn(a)
	f.afterCall(l, p, l.Mode)
}

// Do11 calls fn(a) with a result.
func Do11[A, R any](f *Frame, l *Location, p unsafe.Pointer, fn func(A) R, a A) R {
	f.beforeCall(l, p)
	defer f.unwind()
	r := fn(a)
	f.afterCall(l, p, l.Mode)
	return r
}

// Do12 calls fn(a) with two results.
func Do12[A, R, S any](f *Frame, l *Location, p unsafe.Pointer, fn func(A) (R, S), a A) (R, S) {
	f.beforeCall(l, p)
	defer f.unwind()
	r, s := fn(a)
	f.afterCall(l, p, l.Mode)
	return r, s
}

// Do20 calls fn(a, b).
func Do20[A, B any](f *Frame, l *Location, p unsafe.Pointer, fn func(A, B), a A, b B) {
	f.beforeCall(l, p)
	defer f.unwind()
	fn(a, b)
	f.afterCall(l, p, l.Mode)
}

// Do21 calls fn(a, b) with a result. If the location is ReadWrite and the
// result a bool, fn is a method CompareAndSwap, and false counts as a read.
func Do21[A, B, R any](f *Frame, l *Location, p unsafe.Pointer, fn func(A, B) R, a A, b B) R {
	f.beforeCall(l, p)
	defer f.unwind()
	r := fn(a, b)
	f.afterCall(l, p, swapMode(l, any(r)))
	return r
}

// Do22 calls fn(a, b) with two results.
func Do22[A, B, R, S any](f *Frame, l *Location, p unsafe.Pointer, fn func(A, B) (R, S), a A, b B) (R, S) {
	f.beforeCall(l, p)
	defer f.unwind()
	r, s := fn(a, b)
	f.afterCall(l, p, l.Mode)
	return r, s
}

// Do30 calls fn(a, b, c).
func Do30[A, B, C any](f *Frame, l *Location, p unsafe.Pointer, fn func(A, B, C), a A, b B, c C) {
	f.beforeCall(l, p)
	defer f.unwind()
	fn(a, b, c)
	f.afterCall(l, p, l.Mode)
}

// Do31 calls fn(a, b, c) with a result; a bool is treated as in Do21, for the
// functions atomic.CompareAndSwap….
func Do31[A, B, C, R any](f *Frame, l *Location, p unsafe.Pointer, fn func(A, B, C) R, a A, b B, c C) R {
	f.beforeCall(l, p)
	defer f.unwind()
	r := fn(a, b, c)
	f.afterCall(l, p, swapMode(l, any(r)))
	return r
}

// Do32 calls fn(a, b, c) with two results.
func Do32[A, B, C, R, S any](f *Frame, l *Location, p unsafe.Pointer, fn func(A, B, C) (R, S), a A, b B, c C) (R, S) {
	f.beforeCall(l, p)
	defer f.unwind()
	r, s := fn(a, b, c)
	f.afterCall(l, p, l.Mode)
	return r, s
}

// swapMode is the mode in which a location was really passed, given what its
// compare-and-swap returned.
func swapMode(l *Location, result any) Mode {
	if swapped, ok := result.(bool); ok && !swapped && l.Mode == ReadWrite {
		return Read
	}
	return l.Mode
}
