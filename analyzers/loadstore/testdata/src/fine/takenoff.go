package fine

import "sync"

// A Collector gives what it has collected to the one who delivers it, and forgets it.
type Collector struct {
	mu   sync.Mutex
	got  *Parcel
	send func([]string)
}

type Parcel struct{ names []string }

func (c *Collector) Collect(p *Parcel) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.got == nil {
		c.got = p
	} else {
		c.got.names = append(c.got.names, p.names...)
	}
}

func (c *Collector) Deliver(p *Parcel) {
	c.mu.Lock()
	got := c.got
	c.got = nil
	c.mu.Unlock()
	if got == nil {
		got = p
	} else {
		got.names = append(got.names, p.names...)
	}
	c.send(got.names)
}
