package sched

import (
	"sync"
	"unsafe"
)

// A sync.Map asks the scheduler itself, by MapRead and MapWrite, through whatever it
// is called. Where atomic sections are about its entries, the call says before which
// entry is meant, and where in the program.

// pending is what a goroutine has said of the operation that it calls next.
type pending struct {
	m        *sync.Map
	location *Location
	key      any
}

// MapRead is the point before a sync.Map is read, MapWrite before it is changed.
func MapRead(m *sync.Map)  { accessSyncMap(m, false) }
func MapWrite(m *sync.Map) { accessSyncMap(m, true) }

func accessSyncMap(m *sync.Map, write bool) {
	g := enter()
	if g == nil {
		return
	}
	op := &Operation{Kind: Atomically, Object: unsafe.Pointer(m), Size: 1, Write: write}
	if g.pending.m == m {
		op.Location, op.Key = g.pending.location, g.pending.key
		g.pending = pending{}
	}
	g.engine.atomic(g, op)
	leave(g)
}

// announce says what the calling goroutine does next to the map.
func announce(l *Location, m *sync.Map, key any) *sync.Map {
	if g := enter(); g != nil {
		g.pending = pending{m, l, key}
		leave(g)
	}
	return m
}

// SyncMapLoad is m.Load(key), and the others are what they are called.
func SyncMapLoad(l *Location, m *sync.Map, key any) (value any, ok bool) {
	return announce(l, m, key).Load(key)
}

func SyncMapStore(l *Location, m *sync.Map, key, value any) {
	announce(l, m, key).Store(key, value)
}

func SyncMapLoadOrStore(l *Location, m *sync.Map, key, value any) (actual any, loaded bool) {
	return announce(l, m, key).LoadOrStore(key, value)
}

func SyncMapLoadAndDelete(l *Location, m *sync.Map, key any) (value any, loaded bool) {
	return announce(l, m, key).LoadAndDelete(key)
}

func SyncMapDelete(l *Location, m *sync.Map, key any) {
	announce(l, m, key).Delete(key)
}

func SyncMapSwap(l *Location, m *sync.Map, key, value any) (previous any, loaded bool) {
	return announce(l, m, key).Swap(key, value)
}

func SyncMapCompareAndSwap(l *Location, m *sync.Map, key, old, changed any) (swapped bool) {
	return announce(l, m, key).CompareAndSwap(key, old, changed)
}

func SyncMapCompareAndDelete(l *Location, m *sync.Map, key, old any) (deleted bool) {
	return announce(l, m, key).CompareAndDelete(key, old)
}
