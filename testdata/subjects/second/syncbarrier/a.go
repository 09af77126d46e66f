package syncbarrier

import (
	"context"
	"sync"
)

type waiter struct {
	index uint64
	ch    chan struct{}
}

type Replica struct {
	mu      sync.Mutex
	applied uint64
	waiters []waiter
}

func (r *Replica) appliedIndex() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.applied
}

func (r *Replica) addWaiter(index uint64) <-chan struct{} {
	w := waiter{index: index, ch: make(chan struct{})}
	r.mu.Lock()
	r.waiters = append(r.waiters, w)
	r.mu.Unlock()
	return w.ch
}

func (r *Replica) WaitApplied(ctx context.Context, index uint64) error {
	if r.appliedIndex() >= index {
		return nil
	}
	ch := r.addWaiter(index)
	select {
	case <-ch:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *Replica) Apply(index uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if index <= r.applied {
		return
	}
	r.applied = index
	keep := r.waiters[:0]
	for _, w := range r.waiters {
		if w.index <= index {
			close(w.ch)
		} else {
			keep = append(keep, w)
		}
	}
	r.waiters = keep
}
