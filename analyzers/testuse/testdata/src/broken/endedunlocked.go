package broken

import (
	"context"
	"sync"
)

// Dispatches are handed out one by one.
type Dispatches struct {
	ctx  context.Context
	mu   sync.Mutex
	more *sync.Cond
	list []string
}

func NewDispatches(ctx context.Context) *Dispatches {
	p := &Dispatches{ctx: ctx}
	p.more = sync.NewCond(&p.mu)
	go func() {
		<-p.ctx.Done()
		p.more.Broadcast() // want `the end of ctx is told of here without p.mu, which a waiter holds from its look at it to its wait`
	}()
	return p
}

func (p *Dispatches) Put(name string) {
	p.mu.Lock()
	p.list = append(p.list, name)
	p.mu.Unlock()
	p.more.Signal()
}

func (p *Dispatches) over() bool {
	select {
	case <-p.ctx.Done():
		return true
	default:
		return false
	}
}

// Next waits for the next one, or for the end.
func (p *Dispatches) Next() (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.list) == 0 {
		if p.over() {
			return "", false
		}
		p.more.Wait()
	}
	name := p.list[0]
	p.list = p.list[1:]
	return name, true
}
