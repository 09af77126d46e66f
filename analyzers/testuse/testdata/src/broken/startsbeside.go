package broken

import (
	"sync"
	"sync/atomic"
)

// Cluster is started once, if there is anything to run.
type Cluster struct {
	mu      sync.Mutex
	running atomic.Bool
	tested  atomic.Bool
	noted   atomic.Bool
	load    func() ([]string, error)
	nodes   []string
}

func (c *Cluster) Start() error {
	if c.running.Load() { // want `two goroutines can both pass the test of c.running and both set it`
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	nodes, err := c.load()
	if err != nil {
		return err
	}
	if len(nodes) == 0 {
		return nil
	}
	c.nodes = nodes
	go c.watch()
	c.running.Store(true)
	return nil
}

// StartOnce looks again under the lock.
func (c *Cluster) StartOnce() {
	if c.tested.Load() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tested.Load() {
		return
	}
	nodes, _ := c.load()
	if len(nodes) == 0 {
		return
	}
	go c.watch()
	c.tested.Store(true)
}

// Note remembers what everybody finds out alike.
func (c *Cluster) Note() {
	if c.noted.Load() {
		return
	}
	nodes, _ := c.load()
	if len(nodes) == 0 {
		return
	}
	c.noted.Store(true)
}

func (c *Cluster) Stop() {
	c.running.Store(false)
	c.tested.Store(false)
	c.noted.Store(false)
}

func (c *Cluster) watch() {}
