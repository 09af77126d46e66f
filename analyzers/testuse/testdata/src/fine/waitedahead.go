package fine

import "sync"

// Confluence is where brooks come together.
type Confluence struct {
	mu     sync.Mutex
	brooks sync.WaitGroup
	river  chan int
	dry    bool
}

// Join adds a brook.
func (c *Confluence) Join(brook <-chan int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dry {
		return
	}
	c.brooks.Add(1)
	go func() {
		defer c.brooks.Done()
		for n := range brook {
			c.river <- n
		}
	}()
}

// Close lets nobody in before it waits.
func (c *Confluence) Close() {
	c.mu.Lock()
	if c.dry {
		c.mu.Unlock()
		return
	}
	c.dry = true
	c.mu.Unlock()
	c.brooks.Wait()
	c.mu.Lock()
	close(c.river)
	c.mu.Unlock()
}

// RiverDelta counts under its lock.
type RiverDelta struct {
	mu    sync.Mutex
	arms  int
	river chan int
	dry   bool
}

// Join adds an arm.
func (d *RiverDelta) Join(arm <-chan int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dry {
		return
	}
	d.arms++
	go func() {
		for n := range arm {
			d.river <- n
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.arms--; d.arms == 0 {
			close(d.river)
			d.dry = true
		}
	}()
}
