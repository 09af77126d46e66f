package broken

import (
	"context"
	"sync"
)

// Turnstile wakes those who are on its list when its height is reached.
type Turnstile struct {
	mu     sync.Mutex
	height int
	parked []parkedAt
	open   bool
	gates  map[string]chan struct{}
	hooks  []func()
	state  string
}

type parkedAt struct {
	height int
	woken  chan struct{}
}

func (b *Turnstile) reached() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.height
}

func (b *Turnstile) park(height int) chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	ch := make(chan struct{})
	b.parked = append(b.parked, parkedAt{height, ch})
	return ch
}

func (b *Turnstile) Rise(to int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.height = to
	var left []parkedAt
	for _, p := range b.parked {
		if p.height > to {
			left = append(left, p)
			continue
		}
		close(p.woken)
	}
	b.parked = left
}

// Await looks and registers by a method each.
func (b *Turnstile) Await(ctx context.Context, height int) error {
	if b.reached() >= height { // want `b.height was tested in an earlier critical section than the one that adds to b.parked: \(\*Turnstile\).Rise can change it in between`
		return nil
	}
	select {
	case <-b.park(height):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *Turnstile) Open() {
	b.mu.Lock()
	b.open = true
	gates := b.gates
	b.gates = nil
	b.mu.Unlock()
	for _, g := range gates {
		close(g)
	}
}

// Pass does both itself.
func (b *Turnstile) Pass(name string) {
	b.mu.Lock()
	open := b.open // want `b.open was tested in an earlier critical section than the one that adds to b.gates: \(\*Turnstile\).Open can change it in between`
	b.mu.Unlock()
	if !open {
		gate := make(chan struct{})
		b.mu.Lock()
		b.gates[name] = gate
		b.mu.Unlock()
		<-gate
	}
}

func (b *Turnstile) Finish(state string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state = state
	for _, hook := range b.hooks {
		hook()
	}
	b.hooks = nil
}

func (b *Turnstile) finished() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state != ""
}

// OnFinish registers something that is to be called.
func (b *Turnstile) OnFinish(hook func()) {
	switch {
	case b.finished(): // want `b.state was tested in an earlier critical section than the one that adds to b.hooks`
		hook()
	default:
		b.mu.Lock()
		b.hooks = append(b.hooks, hook)
		b.mu.Unlock()
	}
}
