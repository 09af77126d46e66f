//go:build !atomrace_off

package heal

import "unsafe"

// The DoKey functions are the Do functions for methods that access the entry of a map
// which is a field of their receiver: the argument with the number key is the entry's
// key, with one argument that.

// Container says where the map is.
type Container struct {
	at     unsafe.Pointer // MapPointer, or the *sync.Map; nil if there is none yet
	perKey bool
}

// MapField is the map in the field at the offset in the object at p, which may be nil. The race
// detector does not see that it is looked at without the program's own lock. Should the
// program put another map there meanwhile, the section is not judged.
func MapField(p unsafe.Pointer, offset uintptr) (c Container) {
	if p != nil {
		c.at = unseen((*unsafe.Pointer)(unsafe.Add(p, offset)))
	}
	return c
}

// SyncMapField is the same for a sync.Map.
func SyncMapField(p unsafe.Pointer, offset uintptr) Container {
	return Container{Field(p, offset), true}
}

// chosen is the argument with that number.
func chosen[A, B any](number int, a A, b B) any {
	if number == 0 {
		return a
	}
	return b
}

func chosenOf3[A, B, C any](number int, a A, b B, c C) any {
	if number == 2 {
		return c
	}
	return chosen(number, a, b)
}

// beforeOn comes before the call, if there is anything to do.
func (f *Frame) beforeOn(l *Location, m Container, key any) {
	if usable(key) {
		f.beforeCallOn(l, m, key)
	}
}

//go:norace
func (f *Frame) beforeCallOn(l *Location, m Container, key any) {
	in := instance{v: l.Var.info(), addr: uintptr(m.at), keyed: true, perKey: m.perKey, key: key}
	f.enter(settings(), l, m.at, 1, &in, true, false)
}

// DoKey10 calls fn(a).
func DoKey10[A any](f *Frame, l *Location, m Container, fn func(A), a A) {
	if f.ready(l, m.at) {
		f.beforeOn(l, m, a)
	}
	defer f.unwind()
	fn(a)
	if f.pending() {
		f.afterKey(l, l.Mode, a, m.perKey)
	}
}

// DoKey11 calls fn(a) with a result.
func DoKey11[A, R any](f *Frame, l *Location, m Container, fn func(A) R, a A) R {
	if f.ready(l, m.at) {
		f.beforeOn(l, m, a)
	}
	defer f.unwind()
	r := fn(a)
	if f.pending() {
		f.afterKey(l, l.Mode, a, m.perKey)
	}
	return r
}

// DoKey12 calls fn(a) with two results.
func DoKey12[A, R, S any](f *Frame, l *Location, m Container, fn func(A) (R, S), a A) (R, S) {
	if f.ready(l, m.at) {
		f.beforeOn(l, m, a)
	}
	defer f.unwind()
	r, t := fn(a)
	if f.pending() {
		f.afterKey(l, l.Mode, a, m.perKey)
	}
	return r, t
}

// DoKey20 calls fn(a, b).
func DoKey20[A, B any](f *Frame, l *Location, m Container, key int, fn func(A, B), a A, b B) {
	if f.ready(l, m.at) {
		f.beforeOn(l, m, chosen(key, a, b))
	}
	defer f.unwind()
	fn(a, b)
	if f.pending() {
		f.afterKey(l, l.Mode, chosen(key, a, b), m.perKey)
	}
}

// DoKey21 calls fn(a, b) with a result.
func DoKey21[A, B, R any](f *Frame, l *Location, m Container, key int, fn func(A, B) R, a A, b B) R {
	if f.ready(l, m.at) {
		f.beforeOn(l, m, chosen(key, a, b))
	}
	defer f.unwind()
	r := fn(a, b)
	if f.pending() {
		f.afterKey(l, l.Mode, chosen(key, a, b), m.perKey)
	}
	return r
}

// DoKey22 calls fn(a, b) with two results.
func DoKey22[A, B, R, S any](f *Frame, l *Location, m Container, key int, fn func(A, B) (R, S), a A, b B) (R, S) {
	if f.ready(l, m.at) {
		f.beforeOn(l, m, chosen(key, a, b))
	}
	defer f.unwind()
	r, t := fn(a, b)
	if f.pending() {
		f.afterKey(l, l.Mode, chosen(key, a, b), m.perKey)
	}
	return r, t
}

// DoKey30 calls fn(a, b, c).
func DoKey30[A, B, C any](f *Frame, l *Location, m Container, key int, fn func(A, B, C), a A, b B, c C) {
	if f.ready(l, m.at) {
		f.beforeOn(l, m, chosenOf3(key, a, b, c))
	}
	defer f.unwind()
	fn(a, b, c)
	if f.pending() {
		f.afterKey(l, l.Mode, chosenOf3(key, a, b, c), m.perKey)
	}
}

// DoKey31 calls fn(a, b, c) with a result.
func DoKey31[A, B, C, R any](f *Frame, l *Location, m Container, key int, fn func(A, B, C) R, a A, b B, c C) R {
	if f.ready(l, m.at) {
		f.beforeOn(l, m, chosenOf3(key, a, b, c))
	}
	defer f.unwind()
	r := fn(a, b, c)
	if f.pending() {
		f.afterKey(l, l.Mode, chosenOf3(key, a, b, c), m.perKey)
	}
	return r
}

// DoKey32 calls fn(a, b, c) with two results.
func DoKey32[A, B, C, R, S any](f *Frame, l *Location, m Container, key int, fn func(A, B, C) (R, S), a A, b B, c C) (R, S) {
	if f.ready(l, m.at) {
		f.beforeOn(l, m, chosenOf3(key, a, b, c))
	}
	defer f.unwind()
	r, t := fn(a, b, c)
	if f.pending() {
		f.afterKey(l, l.Mode, chosenOf3(key, a, b, c), m.perKey)
	}
	return r, t
}
