package broken

import (
	"sync"
	"sync/atomic"
	"time"
)

// Masthead is closed under the lock, but senders give it up after the look.
type Masthead struct {
	ended atomic.Bool
	mu    sync.RWMutex
	lines chan string
}

func (m *Masthead) Say(s string) {
	m.mu.RLock()
	ended := m.ended.Load() // want `m.lines can be closed between the test of m.ended and the send on it, which then panics`
	m.mu.RUnlock()
	if !ended {
		m.lines <- s
	}
}

func (m *Masthead) End() {
	if m.ended.Swap(true) {
		return
	}
	time.AfterFunc(time.Second, func() {
		m.mu.Lock()
		close(m.lines)
		m.mu.Unlock()
	})
}

// Crier is closed without the lock that the senders hold.
type Crier struct {
	ended atomic.Bool
	mu    sync.RWMutex
	lines chan string
}

func (c *Crier) Say(s string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.ended.Load() { // want `c.lines can be closed between the test of c.ended and the send on it, which then panics`
		return
	}
	c.lines <- s
}

func (c *Crier) End() {
	if c.ended.CompareAndSwap(false, true) {
		time.AfterFunc(time.Second, func() { close(c.lines) })
	}
}

// Relay counts its senders in, and does not wait for them before the close.
type Relay struct {
	mu     sync.Mutex
	ended  atomic.Bool
	active sync.WaitGroup
	lines  chan string
}

func (r *Relay) join() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended.Load() {
		return false
	}
	r.active.Add(1)
	return true
}

func (r *Relay) Say(s string) {
	if !r.join() { // want `r.lines can be closed between the test of r.ended and the send on it, which then panics`
		return
	}
	defer r.active.Done()
	if !r.ended.Load() {
		r.lines <- s
	}
}

func (r *Relay) End() {
	if !r.ended.Swap(true) {
		close(r.lines)
		r.active.Wait()
	}
}
