package fine

import (
	"errors"
	"sync"
	"sync/atomic"
)

type rope struct{ ends int }

func (c *rope) Close() error { return nil }

var errCut = errors.New("cut")

type Panel struct {
	mu     sync.Mutex
	cut    atomic.Bool
	paused atomic.Bool
	cables map[int]*rope
	spare  []*rope
	flying sync.WaitGroup
}

func (p *Panel) Close() {
	p.cut.Store(true)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.cables {
		c.Close()
	}
}

// Plug looks again under the lock.
func (p *Panel) Plug(id int) error {
	if p.cut.Load() {
		return errCut
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut.Load() {
		return errCut
	}
	p.cables[id] = &rope{}
	return nil
}

// PlugFirst looks when it is in the map.
func (p *Panel) PlugFirst(id int) error {
	if p.cut.Load() {
		return errCut
	}
	c := &rope{}
	p.mu.Lock()
	p.cables[id] = c
	p.mu.Unlock()
	if p.cut.Load() {
		return c.Close()
	}
	return nil
}

// Pause does not end anything, and nobody walks through the spare ones.
func (p *Panel) Pause() {
	p.paused.Store(true)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.cables {
		c.ends++
	}
}

func (p *Panel) Put(c *rope) {
	if p.cut.Load() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spare = append(p.spare, c)
}

func (p *Panel) Renew(id int) {
	if p.paused.Load() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cables[id] = &rope{}
}

// Rack waits for those that have passed the test before it walks through what they added.
type Rack struct {
	mu     sync.Mutex
	cut    bool
	flying sync.WaitGroup
	cables map[int]*rope
}

func (r *Rack) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cut {
		return false
	}
	r.flying.Add(1)
	return true
}

func (r *Rack) Plug(id int) {
	if !r.enter() {
		return
	}
	defer r.flying.Done()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cables[id] = &rope{}
}

func (r *Rack) Close() {
	r.mu.Lock()
	r.cut = true
	r.mu.Unlock()
	r.flying.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.cables {
		c.Close()
	}
}
