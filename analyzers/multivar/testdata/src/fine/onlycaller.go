package fine

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// A Dispatcher alone calls its steps, and looks at their end afterwards.
type Dispatcher struct {
	mu        sync.Mutex
	executing bool
	steps     []*step
}

type step struct {
	closed   atomic.Bool
	panicked error
	blocked  chan bool
}

func (s *step) call(timeout time.Duration) {
	select {
	case <-s.blocked:
	case <-time.After(timeout):
		s.closed.Store(true)
		s.panicked = errors.New("deadlock")
	}
}

func (d *Dispatcher) Run(timeout time.Duration) error {
	d.mu.Lock()
	if d.executing {
		d.mu.Unlock()
		return errors.New("already running")
	}
	d.executing = true
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		d.executing = false
		d.mu.Unlock()
	}()
	for i := 0; i < len(d.steps); i++ {
		s := d.steps[i]
		if !s.closed.Load() {
			s.call(timeout)
		}
		if s.closed.Load() {
			if s.panicked != nil {
				return s.panicked
			}
		}
	}
	return nil
}

// A SocketPool looks at its end again before it adds.
type SocketPool struct {
	sync.Mutex
	closed bool
	idle   []*socket
	live   []*socket
}

type socket struct{ once sync.Once }

func (s *socket) Close() { s.once.Do(func() {}) }

func dial() *socket { return &socket{} }

func (p *SocketPool) Acquire() (*socket, error) {
	p.Lock()
	if p.closed {
		p.Unlock()
		return nil, errors.New("closed")
	}
	if n := len(p.idle); n > 0 {
		s := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.Unlock()
		return s, nil
	}
	p.Unlock()
	s := dial()
	p.Lock()
	if p.closed {
		p.Unlock()
		s.Close()
		return nil, errors.New("closed")
	}
	p.live = append(p.live, s)
	p.Unlock()
	return s, nil
}

func (p *SocketPool) Release(s *socket) {
	p.Lock()
	defer p.Unlock()
	if !p.closed {
		p.idle = append(p.idle, s)
	}
}

func (p *SocketPool) Close() {
	p.Lock()
	p.closed = true
	live := p.live
	p.live, p.idle = nil, nil
	p.Unlock()
	for _, s := range live {
		s.Close()
	}
}
