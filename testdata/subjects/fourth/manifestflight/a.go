package manifestflight

import (
	"context"
	"sync"
)

type call struct {
	done chan struct{}
	body []byte
	err  error
}

type Origin interface {
	Manifest(ctx context.Context, name string) ([]byte, error)
}

type Group struct {
	origin Origin
	mu     sync.Mutex
	calls  map[string]*call
}

func NewGroup(o Origin) *Group {
	return &Group{origin: o, calls: make(map[string]*call)}
}

func (g *Group) Fetch(ctx context.Context, name string) ([]byte, error) {
	g.mu.Lock()
	if c, ok := g.calls[name]; ok {
		g.mu.Unlock()
		select {
		case <-c.done:
			return c.body, c.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	c := &call{done: make(chan struct{})}
	g.calls[name] = c
	g.mu.Unlock()

	c.body, c.err = g.origin.Manifest(context.WithoutCancel(ctx), name)
	close(c.done)

	g.mu.Lock()
	delete(g.calls, name)
	g.mu.Unlock()
	return c.body, c.err
}
