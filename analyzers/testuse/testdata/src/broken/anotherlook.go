package broken

import "sync"

type crew struct {
	jobs    chan func()
	stopped chan struct{}
	mu      sync.Mutex
	n       int
}

func newCrew() *crew {
	c := &crew{jobs: make(chan func()), stopped: make(chan struct{})}
	go c.dispatch()
	return c
}

func (c *crew) dispatch() {
	defer close(c.stopped)
	for job := range c.jobs {
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
		go job()
	}
}

func (c *crew) done() bool {
	select {
	case <-c.stopped:
		return true
	default:
		return false
	}
}

// Stop ends the crew: two calls both find that it goes on.
func (c *crew) Stop() {
	if c.done() { // want `two goroutines can both pass this test and close c.jobs twice: it looks at another channel, which is closed elsewhere`
		return
	}
	close(c.jobs)
	<-c.stopped
}

// Close says the same by a select of its own.
func (c *crew) Close() error {
	select {
	case <-c.stopped: // want `two goroutines can both pass this test and close c.jobs twice`
		return nil
	default:
	}
	close(c.jobs)
	<-c.stopped
	return nil
}
