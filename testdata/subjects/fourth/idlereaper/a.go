package idlereaper

import (
	"io"
	"sync"
	"time"
)

type item struct {
	res  io.Closer
	used time.Time
}

type Pool struct {
	mu    sync.RWMutex
	items map[string]*item
	idle  time.Duration
	stop  chan struct{}
}

func NewPool(idle time.Duration) *Pool {
	p := &Pool{items: map[string]*item{}, idle: idle, stop: make(chan struct{})}
	go func() {
		for {
			select {
			case <-p.stop:
				return
			case <-time.After(idle):
				p.reap()
			}
		}
	}()
	return p
}

func (p *Pool) Touch(id string, open func() (io.Closer, error)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if it, ok := p.items[id]; ok {
		it.used = time.Now()
		return nil
	}
	res, err := open()
	if err != nil {
		return err
	}
	p.items[id] = &item{res: res, used: time.Now()}
	return nil
}

func (p *Pool) reap() {
	var old []string
	p.mu.RLock()
	for id, it := range p.items {
		if time.Since(it.used) > p.idle {
			old = append(old, id)
		}
	}
	p.mu.RUnlock()
	for _, id := range old {
		p.mu.Lock()
		if it, ok := p.items[id]; ok && time.Since(it.used) > p.idle {
			delete(p.items, id)
			it.res.Close()
		}
		p.mu.Unlock()
	}
}
