package sched

import "unsafe"

// The operations of package sync/atomic, each a point and then the operation: p is
// the address of the value, write says whether the operation may change it. The
// digits are the numbers of arguments and results.

func Do00(loc *Location, p unsafe.Pointer, write bool, fn func()) {
	Atomic(loc, p, write)
	fn()
}

func Do01[R any](loc *Location, p unsafe.Pointer, write bool, fn func() R) R {
	Atomic(loc, p, write)
	return fn()
}

func Do10[A any](loc *Location, p unsafe.Pointer, write bool, fn func(A), a A) {
	Atomic(loc, p, write)
	fn(a)
}

func Do11[A, R any](loc *Location, p unsafe.Pointer, write bool, fn func(A) R, a A) R {
	Atomic(loc, p, write)
	return fn(a)
}

func Do12[A, R, S any](loc *Location, p unsafe.Pointer, write bool, fn func(A) (R, S), a A) (R, S) {
	Atomic(loc, p, write)
	return fn(a)
}

func Do20[A, B any](loc *Location, p unsafe.Pointer, write bool, fn func(A, B), a A, b B) {
	Atomic(loc, p, write)
	fn(a, b)
}

func Do21[A, B, R any](loc *Location, p unsafe.Pointer, write bool, fn func(A, B) R, a A, b B) R {
	Atomic(loc, p, write)
	return fn(a, b)
}

func Do30[A, B, C any](loc *Location, p unsafe.Pointer, write bool, fn func(A, B, C), a A, b B, c C) {
	Atomic(loc, p, write)
	fn(a, b, c)
}

func Do31[A, B, C, R any](loc *Location, p unsafe.Pointer, write bool, fn func(A, B, C) R, a A, b B, c C) R {
	Atomic(loc, p, write)
	return fn(a, b, c)
}
