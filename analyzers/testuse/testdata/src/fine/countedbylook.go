package fine

import (
	"sync"
	"sync/atomic"
)

// RosterTold counts by what the operations on the map say.
type RosterTold struct {
	names sync.Map
	size  atomic.Int64
	asked atomic.Int64
}

func (r *RosterTold) Enter(name string, v any) {
	if _, loaded := r.names.Swap(name, v); !loaded {
		r.size.Add(1)
	}
}

func (r *RosterTold) Leave(name string) {
	if _, ok := r.names.LoadAndDelete(name); ok {
		r.size.Add(-1)
	}
}

// Find counts how often it has found nothing.
func (r *RosterTold) Find(name string) any {
	v, ok := r.names.Load(name)
	if !ok {
		r.asked.Add(1)
		return nil
	}
	return v
}

// RosterLocked is changed under its lock.
type RosterLocked struct {
	mu    sync.Mutex
	names sync.Map
	size  atomic.Int64
}

func (r *RosterLocked) Enter(name string, v any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.names.Load(name); !ok {
		r.size.Add(1)
	}
	r.names.Store(name, v)
}

func (r *RosterLocked) Leave(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.names.Load(name); ok {
		r.names.Delete(name)
		r.size.Add(-1)
	}
}

// OdometerTried tries again, or keeps a mean, of which one more or less matters little.
type OdometerTried struct {
	total, mean atomic.Int64
}

func (o *OdometerTried) Drive(n int64) {
	for {
		old := o.total.Load()
		if o.total.CompareAndSwap(old, old+n) {
			break
		}
	}
	old := o.mean.Load()
	o.mean.CompareAndSwap(old, (old*7+n)/8)
}
