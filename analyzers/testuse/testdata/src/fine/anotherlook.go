package fine

import "sync"

type gang struct {
	jobs    chan func()
	stopped chan struct{}
	ending  sync.Once
	mu      sync.Mutex
	n       int
}

func newGang() *gang {
	c := &gang{jobs: make(chan func()), stopped: make(chan struct{})}
	go c.dispatch()
	return c
}

func (c *gang) dispatch() {
	defer close(c.stopped)
	for job := range c.jobs {
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
		go job()
	}
}

func (c *gang) done() bool {
	select {
	case <-c.stopped:
		return true
	default:
		return false
	}
}

// Stop closes once, whatever it has seen.
func (c *gang) Stop() {
	if c.done() {
		return
	}
	c.ending.Do(func() { close(c.jobs) })
	<-c.stopped
}

// Shutdown keeps other callers out.
func (c *gang) Shutdown() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.jobs == nil || c.done() {
		return
	}
	close(c.jobs)
	c.jobs = nil
}
