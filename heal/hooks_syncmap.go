//go:build !atomrace_off

package heal

import (
	"sync"
	"unsafe"
)

// The SyncMap functions are instrumented accesses to the entry k of a
// sync.Map; the instance is map and key.

func (f *Frame) beforeEntry(l *Location, m *sync.Map, k any) {
	if p := unsafe.Pointer(m); f.ready(l, p) && usable(k) {
		f.beforeKey(l, p, k, true)
	}
}

func (f *Frame) afterEntry(l *Location, mode Mode, k any) {
	if f.pending() {
		f.afterKey(l, mode, k, true)
	}
}

// writeIf is the mode of a read-modify-write that may turn out a mere read.
func writeIf(l *Location, wrote bool) Mode {
	if !wrote {
		return l.Mode &^ Write
	}
	return l.Mode
}

// SyncMapLoad is m.Load(k).
func SyncMapLoad(f *Frame, l *Location, m *sync.Map, k any) (any, bool) {
	f.beforeEntry(l, m, k)
	defer f.unwind()
	v, ok := m.Load(k)
	f.afterEntry(l, l.Mode, k)
	return v, ok
}

// SyncMapStore is m.Store(k, v).
func SyncMapStore(f *Frame, l *Location, m *sync.Map, k, v any) {
	f.beforeEntry(l, m, k)
	defer f.unwind()
	m.Store(k, v)
	f.afterEntry(l, l.Mode, k)
}

// SyncMapLoadOrStore is m.LoadOrStore(k, v); a read if k was there.
func SyncMapLoadOrStore(f *Frame, l *Location, m *sync.Map, k, v any) (any, bool) {
	f.beforeEntry(l, m, k)
	defer f.unwind()
	got, loaded := m.LoadOrStore(k, v)
	f.afterEntry(l, writeIf(l, !loaded), k)
	return got, loaded
}

// SyncMapLoadAndDelete is m.LoadAndDelete(k); a read if k was not there.
func SyncMapLoadAndDelete(f *Frame, l *Location, m *sync.Map, k any) (any, bool) {
	f.beforeEntry(l, m, k)
	defer f.unwind()
	v, loaded := m.LoadAndDelete(k)
	f.afterEntry(l, writeIf(l, loaded), k)
	return v, loaded
}

// SyncMapDelete is m.Delete(k).
func SyncMapDelete(f *Frame, l *Location, m *sync.Map, k any) {
	f.beforeEntry(l, m, k)
	defer f.unwind()
	m.Delete(k)
	f.afterEntry(l, l.Mode, k)
}

// SyncMapSwap is m.Swap(k, v).
func SyncMapSwap(f *Frame, l *Location, m *sync.Map, k, v any) (any, bool) {
	f.beforeEntry(l, m, k)
	defer f.unwind()
	old, loaded := m.Swap(k, v)
	f.afterEntry(l, l.Mode, k)
	return old, loaded
}

// SyncMapCompareAndSwap is m.CompareAndSwap(k, old, new); a read if it failed.
func SyncMapCompareAndSwap(f *Frame, l *Location, m *sync.Map, k, old, new any) bool {
	f.beforeEntry(l, m, k)
	defer f.unwind()
	done := m.CompareAndSwap(k, old, new)
	f.afterEntry(l, writeIf(l, done), k)
	return done
}

// SyncMapCompareAndDelete is m.CompareAndDelete(k, old); a read if it failed.
func SyncMapCompareAndDelete(f *Frame, l *Location, m *sync.Map, k, old any) bool {
	f.beforeEntry(l, m, k)
	defer f.unwind()
	done := m.CompareAndDelete(k, old)
	f.afterEntry(l, writeIf(l, done), k)
	return done
}
