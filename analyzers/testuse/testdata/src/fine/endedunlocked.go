package fine

import (
	"context"
	"sync"
)

// Letters are handed out one by one.
type Letters struct {
	ctx  context.Context
	mu   sync.Mutex
	more *sync.Cond
	list []string
}

func NewLetters(ctx context.Context) *Letters {
	p := &Letters{ctx: ctx}
	p.more = sync.NewCond(&p.mu)
	go func() {
		<-p.ctx.Done()
		p.mu.Lock()
		p.more.Broadcast()
		p.mu.Unlock()
	}()
	return p
}

func (p *Letters) Put(name string) {
	p.mu.Lock()
	p.list = append(p.list, name)
	p.mu.Unlock()
	p.more.Signal()
}

func (p *Letters) over() bool {
	select {
	case <-p.ctx.Done():
		return true
	default:
		return false
	}
}

// Next waits for the next one, or for the end.
func (p *Letters) Next() (string, bool) {
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
