package sched

import (
	"sync"
	"unsafe"
)

// count is the counter of a WaitGroup, which its API does not show: the upper half
// of its first word. TestWaitGroupLayout and Main check that this is still so.
func count(g *sync.WaitGroup) int {
	return int(int32(*(*uint64)(unsafe.Pointer(g)) >> 32))
}

// countKnown says whether count tells the truth in this version of Go.
func countKnown() bool {
	var g sync.WaitGroup
	g.Add(5)
	known := count(&g) == 5
	g.Add(-5)
	return known && count(&g) == 0
}

// WaitGroupAdd is w.Add(delta), and w.Done with -1. A positive delta is a point:
// Wait may come first.
func WaitGroupAdd(w *sync.WaitGroup, delta int) (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	defer leave(g)
	e, object := g.engine, unsafe.Pointer(w)
	if delta > 0 {
		e.point(g, Operation{Kind: Adding, Object: object, Write: true})
	}
	w.Add(delta) // panics if the counter becomes negative
	if delta < 0 && e.hybrid != nil {
		e.hybrid.send(object, g)
	}
	if count(w) == 0 {
		e.counted(object)
	}
	return true
}

// WaitGroupWait is w.Wait.
func WaitGroupWait(w *sync.WaitGroup) (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	e, object := g.engine, unsafe.Pointer(w)
	e.point(g, Operation{Kind: WaitingAll, Object: object})
	if count(w) != 0 {
		e.groups[object] = append(e.groups[object], g)
		e.park(g, (*groupWait)(w))
	}
	if e.hybrid != nil {
		e.hybrid.receive(object, g)
	}
	leave(g)
	return true
}

// counted lets those go on who wait at a WaitGroup.
func (e *engine) counted(object unsafe.Pointer) {
	e.enableAll(e.groups[object])
	delete(e.groups, object)
}

// A groupWait is the WaitGroup as an obstacle.
type groupWait sync.WaitGroup

func (w *groupWait) owners() []*Goroutine { return nil }

// over looks whether a goroutine that is not under control has brought the counter
// to zero.
func (w *groupWait) over(e *engine) bool {
	if count((*sync.WaitGroup)(w)) != 0 {
		return false
	}
	e.counted(unsafe.Pointer(w))
	return true
}

// WaitGroupGo is w.Go(f).
func WaitGroupGo(w *sync.WaitGroup, f func()) (done bool) {
	if !WaitGroupAdd(w, 1) {
		return false
	}
	Go(func() {
		defer func() {
			// As the real one: a panic ends the process, and Done could let
			// somebody go on before that.
			if value := recover(); value != nil {
				panic(value)
			}
			if !WaitGroupAdd(w, -1) {
				w.Done()
			}
		}()
		f()
	})
	return true
}
