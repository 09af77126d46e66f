package sched

import "unsafe"

// CallKeyNM is CallNM for a method that accesses the entry of a map which is a field of
// its receiver: the argument with the number key is the entry's key, with one argument
// that.

// A Container says where the map is.
type Container struct {
	field unsafe.Pointer // nil: nowhere
	built bool           // is a built-in map; else a sync.Map
}

// MapField is the map in the field at the offset in the object at p, which may be nil.
func MapField(p unsafe.Pointer, offset uintptr) Container {
	return Container{Field(p, offset), true}
}

// SyncMapField is the same for a sync.Map.
func SyncMapField(p unsafe.Pointer, offset uintptr) Container {
	return Container{Field(p, offset), false}
}

// object is the address of the map that accesses have. Whoever makes one now has read
// the field himself.
//
//go:norace
func (m Container) object() unsafe.Pointer {
	if m.built && m.field != nil {
		return *(*unsafe.Pointer)(m.field)
	}
	return m.field
}

// makes says whether the operation is the access that the call is about.
func (c *calling) makes(op *Operation) bool {
	if op.Write != c.write {
		return false
	}
	if !c.keyed {
		return op.Object == c.object
	}
	return op.Object == c.container.object() && op.Key != nil && isEqual(op.Key, c.key)
}

func beginOn(loc *Location, m Container, write bool, key any) called {
	return begin(calling{location: loc, container: m, keyed: true, key: key, write: write}, m.field)
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

func CallKey10[A any](loc *Location, m Container, write bool, fn func(A), a A) {
	defer beginOn(loc, m, write, a).end()
	fn(a)
}

func CallKey11[A, R any](loc *Location, m Container, write bool, fn func(A) R, a A) R {
	defer beginOn(loc, m, write, a).end()
	return fn(a)
}

func CallKey12[A, R, S any](loc *Location, m Container, write bool, fn func(A) (R, S), a A) (R, S) {
	defer beginOn(loc, m, write, a).end()
	return fn(a)
}

func CallKey20[A, B any](loc *Location, m Container, write bool, key int, fn func(A, B), a A, b B) {
	defer beginOn(loc, m, write, chosen(key, a, b)).end()
	fn(a, b)
}

func CallKey21[A, B, R any](loc *Location, m Container, write bool, key int, fn func(A, B) R, a A, b B) R {
	defer beginOn(loc, m, write, chosen(key, a, b)).end()
	return fn(a, b)
}

func CallKey22[A, B, R, S any](loc *Location, m Container, write bool, key int, fn func(A, B) (R, S), a A, b B) (R, S) {
	defer beginOn(loc, m, write, chosen(key, a, b)).end()
	return fn(a, b)
}

func CallKey30[A, B, C any](loc *Location, m Container, write bool, key int, fn func(A, B, C), a A, b B, c C) {
	defer beginOn(loc, m, write, chosenOf3(key, a, b, c)).end()
	fn(a, b, c)
}

func CallKey31[A, B, C, R any](loc *Location, m Container, write bool, key int, fn func(A, B, C) R, a A, b B, c C) R {
	defer beginOn(loc, m, write, chosenOf3(key, a, b, c)).end()
	return fn(a, b, c)
}

func CallKey32[A, B, C, R, S any](loc *Location, m Container, write bool, key int, fn func(A, B, C) (R, S), a A, b B, c C) (R, S) {
	defer beginOn(loc, m, write, chosenOf3(key, a, b, c)).end()
	return fn(a, b, c)
}
