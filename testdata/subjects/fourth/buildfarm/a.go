package buildfarm

import (
	"context"
	"maps"
	"sync"
)

type Worker struct {
	Host  string
	Cores int
}

type Farm struct {
	mu       sync.Mutex
	workers  map[string]Worker
	watchers map[chan Worker]struct{}
}

func NewFarm() *Farm {
	return &Farm{
		workers:  make(map[string]Worker),
		watchers: make(map[chan Worker]struct{}),
	}
}

func (f *Farm) Register(w Worker) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.workers[w.Host] = w
	for ch := range f.watchers {
		select {
		case ch <- w:
		default:
		}
	}
}

func (f *Farm) Workers() map[string]Worker {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.workers)
}

func (f *Farm) addWatcher(ch chan Worker) {
	f.mu.Lock()
	f.watchers[ch] = struct{}{}
	f.mu.Unlock()
}

// Watch calls fn for every worker known now and for each one that joins later.
func (f *Farm) Watch(ctx context.Context, fn func(Worker)) {
	ch := make(chan Worker, 64)
	known := f.Workers()
	f.addWatcher(ch)
	defer func() {
		f.mu.Lock()
		delete(f.watchers, ch)
		f.mu.Unlock()
	}()
	for _, w := range known {
		fn(w)
	}
	for {
		select {
		case w := <-ch:
			fn(w)
		case <-ctx.Done():
			return
		}
	}
}
