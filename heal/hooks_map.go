//go:build !atomrace_off

package heal

import "unsafe"

// MapLoad is an instrumented m[k]. For sections the instance is the entry k
// of m; for the primitive race detection it is the map, as for the race
// detector, since any write may move every entry.
func MapLoad[M ~map[K]V, K comparable, V any](f *Frame, l *Location, m M, k K) V {
	if f.reads(l, MapPointer(m)) {
		return m[k]
	}
	BeforeKey(f, l, m, k)
	v := m[k]
	AfterKey(f, l, m, k)
	return v
}

// MapLoad2 is an instrumented v, ok := m[k].
func MapLoad2[M ~map[K]V, K comparable, V any](f *Frame, l *Location, m M, k K) (V, bool) {
	if f.reads(l, MapPointer(m)) {
		v, ok := m[k]
		return v, ok
	}
	BeforeKey(f, l, m, k)
	v, ok := m[k]
	AfterKey(f, l, m, k)
	return v, ok
}

// reads does all there is to do around a read of the map at p, if it begins no section and
// nobody is in one over some entry of the map: then it does not matter which entry is
// read, and its key need not be moved to the heap.
//
//go:norace
func (f *Frame) reads(l *Location, p unsafe.Pointer) bool {
	if l.quick != generation || len(l.entries()) > 0 || f.pending() || bucketOf(uintptr(p)).inUse() {
		return false
	}
	if l.Race {
		Look(l, p, 1)
	}
	return true
}

// MapLen is an instrumented len(m), a read of the map as a whole.
func MapLen[M ~map[K]V, K comparable, V any](f *Frame, l *Location, m M) int {
	p := MapPointer(m)
	f.Before(l, p, 1)
	if l.Race {
		Look(l, p, 1)
	}
	n := len(m)
	f.After(l, p)
	return n
}

// BeforeKey comes before m[k] = v and delete(m, k). A nil map and a key that
// cannot be compared are left to the program's own panic.
func BeforeKey[M ~map[K]V, K comparable, V any](f *Frame, l *Location, m M, k K) {
	p := MapPointer(m)
	if f.ready(l, p) {
		if key := any(k); usable(key) {
			f.beforeKey(l, p, key, false)
		}
	}
}

// AfterKey comes after m[k] = v and delete(m, k).
func AfterKey[M ~map[K]V, K comparable, V any](f *Frame, l *Location, m M, k K) {
	if f.pending() {
		f.afterKey(l, l.Mode, any(k), false)
	}
}

//go:norace
func (f *Frame) beforeKey(l *Location, p unsafe.Pointer, key any, perKey bool) {
	in := instance{v: l.Var.info(), addr: uintptr(p), keyed: true, perKey: perKey, key: key}
	f.enter(settings(), l, p, 1, &in, perKey, l.Race && !perKey)
}

//go:norace
func (f *Frame) afterKey(l *Location, mode Mode, key any, perKey bool) {
	in := instance{v: l.Var.info(), addr: f.win.addr, keyed: true, perKey: perKey, key: key}
	f.exit(l, mode, &in)
}

// MapPointer returns what identifies m: the address of its header, nil for a
// nil map.
func MapPointer[M ~map[K]V, K comparable, V any](m M) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&m))
}

// MapAt returns MapPointer(*p) without showing the race detector the read of
// *p: it serves Hold, which comes before the program's own lock. Should *p
// change in between, the wrong map is held, and the access waits for its own.
func MapAt[M ~map[K]V, K comparable, V any](p *M) unsafe.Pointer {
	return unseen((*unsafe.Pointer)(unsafe.Pointer(p)))
}

//go:norace
func unseen(p *unsafe.Pointer) unsafe.Pointer { return *p }
