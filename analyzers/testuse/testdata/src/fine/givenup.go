package fine

import (
	"context"
	"sync"
)

// An Trunkline closes channels once the answer has come.
type Trunkline struct {
	mu      sync.Mutex
	waiting map[string]chan string
	in      chan string
}

func NewTrunkline() *Trunkline {
	return &Trunkline{waiting: map[string]chan string{}, in: make(chan string)}
}

func (x *Trunkline) Serve() {
	for id := range x.in {
		x.answer(id)
	}
}

func (x *Trunkline) answer(id string) {
	x.mu.Lock()
	c := x.waiting[id]
	delete(x.waiting, id)
	x.mu.Unlock()
	if c != nil {
		c <- id
	}
}

func (x *Trunkline) Ask(ctx context.Context, id string) (string, error) {
	c := make(chan string, 1)
	x.mu.Lock()
	x.waiting[id] = c
	x.mu.Unlock()
	select {
	case r := <-c:
		close(c)
		return r, nil
	case <-ctx.Done():
		x.mu.Lock()
		delete(x.waiting, id)
		x.mu.Unlock()
		return "", ctx.Err()
	}
}
