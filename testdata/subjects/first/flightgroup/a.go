package flightgroup

import (
	"context"
	"sync"
)

type flight struct {
	done chan struct{}
	val  []byte
	err  error
}

type Fetch func(ctx context.Context, key string) ([]byte, error)

type Group struct {
	mu      sync.Mutex
	flights map[string]*flight
	fetch   Fetch
}

func New(f Fetch) *Group {
	return &Group{flights: make(map[string]*flight), fetch: f}
}

func (g *Group) Do(ctx context.Context, key string) ([]byte, error) {
	g.mu.Lock()
	if f, ok := g.flights[key]; ok {
		g.mu.Unlock()
		select {
		case <-f.done:
			return f.val, f.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	f := &flight{done: make(chan struct{})}
	g.flights[key] = f
	g.mu.Unlock()

	f.val, f.err = g.fetch(ctx, key)

	g.mu.Lock()
	delete(g.flights, key)
	g.mu.Unlock()
	close(f.done)
	return f.val, f.err
}

func (g *Group) Len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.flights)
}
