package sched

import "unsafe"

// The reads and writes of shared variables as the rewriter leaves them: each is a
// point, and then the access itself.

// Peek reads what at points to.
func Peek[T any](loc *Location, at *T) T {
	Access(loc, unsafe.Pointer(at), unsafe.Sizeof(*at), false)
	return *at
}

// Look is the point before the size bytes at the pointer are read.
func Look(loc *Location, at unsafe.Pointer, size uintptr) { Access(loc, at, size, false) }

// A map is one variable: its address is that of its header, its size 1.

// MapPointer is the address of the map.
func MapPointer[M ~map[K]V, K comparable, V any](m M) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&m))
}

// AccessMap is the point before the entry of the key is written.
func AccessMap[M ~map[K]V, K comparable, V any](loc *Location, m M, k K) {
	if at := MapPointer(m); at != nil {
		accessEntry(loc, at, k, true)
	}
}

// lookMap is the point before the entry of the key is read.
func lookMap[M ~map[K]V, K comparable, V any](loc *Location, m M, k K) {
	if at := MapPointer(m); at != nil {
		accessEntry(loc, at, k, false)
	}
}

// MapPeek is m[k].
func MapPeek[M ~map[K]V, K comparable, V any](loc *Location, m M, k K) V {
	lookMap(loc, m, k)
	return m[k]
}

// MapPeek2 is v, ok := m[k].
func MapPeek2[M ~map[K]V, K comparable, V any](loc *Location, m M, k K) (V, bool) {
	lookMap(loc, m, k)
	v, ok := m[k]
	return v, ok
}

// MapPeekLen is len(m), and the point before a loop over it.
func MapPeekLen[M ~map[K]V, K comparable, V any](loc *Location, m M) int {
	if at := MapPointer(m); at != nil {
		Access(loc, at, 1, false)
	}
	return len(m)
}

// PeekSlice is the slice whose elements are about to be read.
func PeekSlice[S ~[]T, T any](loc *Location, s S) S {
	elements(loc, s, len(s), false)
	return s
}

// ClearSlice is clear(s).
func ClearSlice[S ~[]T, T any](loc *Location, s S) {
	elements(loc, s, len(s), true)
	clear(s)
}

// CopySlice is copy(to, from); a location that is nil has no point.
func CopySlice[A ~[]T, B ~[]T, T any](writes, reads *Location, to A, from B) int {
	n := min(len(to), len(from))
	elements(reads, from, n, false)
	elements(writes, to, n, true)
	return copy(to, from)
}

// CopyString is copy(to, from) from a string.
func CopyString[A ~[]byte, B ~string](writes *Location, to A, from B) int {
	elements(writes, to, min(len(to), len(from)), true)
	return copy(to, from)
}

func elements[S ~[]T, T any](loc *Location, s S, n int, write bool) {
	if loc != nil && n > 0 {
		Access(loc, unsafe.Pointer(&s[0]), uintptr(n)*unsafe.Sizeof(s[0]), write)
	}
}
