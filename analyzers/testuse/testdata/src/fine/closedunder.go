package fine

import (
	"sync"
	"sync/atomic"
	"time"
)

// Masthead is closed under the lock that senders hold from their look on.
type Masthead struct {
	ended atomic.Bool
	mu    sync.RWMutex
	lines chan string
}

func (m *Masthead) Say(s string) {
	m.mu.RLock()
	if !m.ended.Load() {
		m.lines <- s
	}
	m.mu.RUnlock()
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

// Relay counts its senders in under a lock, and waits for them.
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
	if !r.join() {
		return
	}
	defer r.active.Done()
	if !r.ended.Load() {
		r.lines <- s
	}
}

func (r *Relay) End() {
	r.mu.Lock()
	was := r.ended.Swap(true)
	r.mu.Unlock()
	if !was {
		go r.finish()
	}
}

func (r *Relay) finish() {
	r.active.Wait()
	close(r.lines)
}
