package broken

import "sync"

// Confluence is where brooks come together.
type Confluence struct {
	mu     sync.Mutex
	brooks sync.WaitGroup
	once   sync.Once
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
	c.once.Do(func() { go c.ebb() })
	go func() {
		defer c.brooks.Done()
		for n := range brook {
			c.river <- n
		}
	}()
}

func (c *Confluence) ebb() {
	c.brooks.Wait() // want `\(\*Confluence\).Join can count itself in between c.brooks.Wait\(\) and here, where c.dry is set: c.river is then closed, and what it sends panics`
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.river)
	c.dry = true
}
