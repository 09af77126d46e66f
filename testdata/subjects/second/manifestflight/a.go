package manifestflight

import (
	"context"
	"sync"
)

type Manifest struct {
	Ref    string
	Layers []string
}

type Puller interface {
	Pull(ctx context.Context, ref string) (*Manifest, error)
}

type flight struct {
	done chan struct{}
	m    *Manifest
	err  error
}

type Registry struct {
	puller Puller

	mu      sync.Mutex
	flights map[string]*flight
}

func NewRegistry(p Puller) *Registry {
	return &Registry{puller: p, flights: make(map[string]*flight)}
}

func (r *Registry) Manifest(ctx context.Context, ref string) (*Manifest, error) {
	r.mu.Lock()
	if f, ok := r.flights[ref]; ok {
		r.mu.Unlock()
		select {
		case <-f.done:
			return f.m, f.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	f := &flight{done: make(chan struct{})}
	r.flights[ref] = f
	r.mu.Unlock()

	f.m, f.err = r.puller.Pull(ctx, ref)
	r.mu.Lock()
	delete(r.flights, ref)
	r.mu.Unlock()
	close(f.done)
	return f.m, f.err
}
