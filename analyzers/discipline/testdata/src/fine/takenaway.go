package fine

import (
	"sync"
	"sync/atomic"
)

// Sideline takes what it calls under the lock, or is told that nobody closes it meanwhile.
type Sideline struct {
	mu   sync.Mutex
	dial func() int
	hook func()
	busy sync.WaitGroup
}

func (d *Sideline) Get() int {
	d.mu.Lock()
	dial := d.dial
	d.mu.Unlock()
	if dial == nil {
		return 0
	}
	return dial()
}

// Started says whether there is something to call, which no Close takes away: Rearm sets it to another one.
func (d *Sideline) Started() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dial != nil
}

func (d *Sideline) Close() {
	d.mu.Lock()
	d.dial = nil
	d.mu.Unlock()
}

// Soloist has one writer alone, which reads plainly what it alone has stored.
type Soloist struct {
	state int64
	seen  int64
}

func (s *Soloist) Step(n int64) bool {
	atomic.StoreInt64(&s.state, n)
	return s.state > 3
}

func (s *Soloist) State() int64 { return atomic.LoadInt64(&s.state) }

// Rootcellar is walked through by a part of what holds the lock.
type Rootcellar struct {
	mu   sync.Mutex
	jars map[string]int
}

func (c *Rootcellar) sum() (n int) {
	for _, k := range c.jars {
		n += k
	}
	return n
}

func (c *Rootcellar) Put(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.jars[k]++
	return c.sum()
}

func (c *Rootcellar) Drop(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.jars, k)
	return c.sum()
}
