package broken

import (
	"sync"
	"sync/atomic"
)

// RosterLooked counts the names in its sync.Map beside it.
type RosterLooked struct {
	names sync.Map
	size  atomic.Int64
}

func (r *RosterLooked) Enter(name string, v any) {
	if _, ok := r.names.Load(name); !ok { // want `two goroutines can both miss the key in r.names and both count it in r.size: Load and Store are two operations, LoadOrStore, or Swap, tells which of them has changed anything`
		r.size.Add(1)
	}
	r.names.Store(name, v)
}

func (r *RosterLooked) Leave(name string) {
	if _, ok := r.names.Load(name); ok { // want `two goroutines can both find the key in r.names and both count it in r.size: Load and Delete are two operations, LoadAndDelete tells which of them has changed anything`
		r.names.Delete(name)
		r.size.Add(-1)
	}
}

// Odometer adds by a swap that may fail.
type Odometer struct {
	total atomic.Int64
}

func (o *Odometer) Drive(n int64) {
	old := o.total.Load() // want `what is added to o.total is lost if another goroutine changes it after it was looked at: the swap then fails, and nobody looks whether it does`
	o.total.CompareAndSwap(old, old+n)
}
