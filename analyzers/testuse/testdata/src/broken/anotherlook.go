package broken

import "sync"

type gang struct {
	jobs    chan func()
	stopped chan struct{}
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

// Stop ends the gang: two calls both find that it goes on.
func (c *gang) Stop() {
	if c.done() { // want `two goroutines can both pass this test and close c.jobs twice: it looks at another channel, which is closed elsewhere`
		return
	}
	close(c.jobs)
	<-c.stopped
}

// Close says the same by a select of its own.
func (c *gang) Close() error {
	select {
	case <-c.stopped: // want `two goroutines can both pass this test and close c.jobs twice`
		return nil
	default:
	}
	close(c.jobs)
	<-c.stopped
	return nil
}
