package fine

import (
	"sync"
	"time"
)

type coatTicket struct {
	who   string
	timer *time.Timer
}

type Cloakroom struct {
	mu          sync.Mutex
	coatTickets map[string]*coatTicket
	quiet       map[string]*time.Timer
	ring        func(string)
}

func (c *Cloakroom) put(id, who string) {
	t := &coatTicket{who: who}
	t.timer = time.AfterFunc(time.Hour, func() { c.expire(id, t) })
	c.coatTickets[id] = t
}

// expire deletes its own coatTicket alone.
func (c *Cloakroom) expire(id string, t *coatTicket) {
	c.mu.Lock()
	if c.coatTickets[id] == t {
		delete(c.coatTickets, id)
	}
	c.mu.Unlock()
}

func (c *Cloakroom) Renew(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, ok := c.coatTickets[id]
	if ok {
		old.timer.Stop()
		c.put(id, old.who)
	}
	return ok
}

// Ring asks whether the timer had fired.
func (c *Cloakroom) Ring(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.quiet[id]; t != nil && !t.Stop() {
		return
	}
	c.quiet[id] = time.AfterFunc(time.Second, func() {
		c.mu.Lock()
		delete(c.quiet, id)
		c.mu.Unlock()
		c.ring(id)
	})
}

// Forget stops the timer and puts nothing there.
func (c *Cloakroom) Forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.quiet[id]; t != nil {
		t.Stop()
		delete(c.quiet, id)
	}
}
