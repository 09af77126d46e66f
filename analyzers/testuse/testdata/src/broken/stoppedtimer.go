package broken

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

func (c *Cloakroom) Give(id, who string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.coatTickets[id] == nil {
		c.put(id, who)
	}
}

func (c *Cloakroom) put(id, who string) {
	t := &coatTicket{who: who}
	t.timer = time.AfterFunc(time.Hour, func() { c.expire(id) })
	c.coatTickets[id] = t
}

func (c *Cloakroom) expire(id string) {
	c.mu.Lock()
	delete(c.coatTickets, id)
	c.mu.Unlock()
}

func (c *Cloakroom) Renew(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, ok := c.coatTickets[id]
	if ok {
		old.timer.Stop() // want `the timer can have fired before it is stopped here, and its function in \(\*Cloakroom\).put wait for the lock: it then deletes from Cloakroom.coatTickets\[\] what is put there now`
		c.put(id, old.who)
	}
	return ok
}

// Ring rings once for many calls.
func (c *Cloakroom) Ring(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.quiet[id]; t != nil {
		t.Stop()
	}
	c.quiet[id] = time.AfterFunc(time.Second, func() { // want `the next call puts its own in the place of this one, as this one does with what was in c.quiet\[id\]`
		c.mu.Lock()
		delete(c.quiet, id)
		c.mu.Unlock()
		c.ring(id)
	})
}
