package fine

import (
	"context"
	"sync"
	"time"
)

// Puller pulls jobs, so many at a time.
type Puller struct {
	mu    sync.RWMutex
	busy  int
	limit int
	next  func() func()
}

// Start pulls until the context is over.
func (p *Puller) Start(ctx context.Context) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for ctx.Err() == nil {
		p.pull(&wg)
	}
}

// One goroutine pulls: nobody else counts up what it has found free.
func (p *Puller) pull(wg *sync.WaitGroup) {
	p.mu.RLock()
	full := p.busy == p.limit
	p.mu.RUnlock()
	if full {
		time.Sleep(time.Millisecond)
		return
	}
	job := p.next()
	p.mu.Lock()
	p.busy++
	p.mu.Unlock()
	wg.Add(1)
	go func() {
		defer wg.Done()
		job()
		p.mu.Lock()
		p.busy--
		p.mu.Unlock()
	}()
}
