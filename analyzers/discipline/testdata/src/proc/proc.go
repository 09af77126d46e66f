// Package proc ends things.
package proc

import "sync"

// A Proc is closed once; WithLock does nothing from then on.
type Proc struct {
	once   sync.Once
	mu     sync.Mutex
	closed bool
}

func (p *Proc) Close(last func() error) (err error) {
	p.once.Do(func() {
		p.mu.Lock()
		p.closed = true
		p.mu.Unlock()
		err = last()
	})
	return err
}

func (p *Proc) WithLock(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		do()
	}
}
