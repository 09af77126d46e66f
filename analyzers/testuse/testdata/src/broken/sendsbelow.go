package broken

import "sync"

// Chores has its worker told by a method below those that anybody calls.
type Chores struct {
	mu   sync.Mutex
	todo []string
	bell chan struct{}
}

func NewChores() *Chores {
	c := &Chores{bell: make(chan struct{}, 1)}
	go func() {
		for range c.bell {
			c.work()
		}
	}()
	return c
}

func (c *Chores) work() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.todo = nil
}

func (c *Chores) put(what string) {
	c.mu.Lock()
	c.todo = append(c.todo, what)
	c.mu.Unlock()
	select {
	case c.bell <- struct{}{}: // want `c\.bell can be closed by \(\*Chores\)\.Close before or during this send, which then panics: it does not wait for those that send, and no lock keeps the two apart`
	default:
	}
}

func (c *Chores) Add(what string) { c.put(what) }

func (c *Chores) AddAll(list ...string) {
	for _, what := range list {
		c.put(what)
	}
}

func (c *Chores) Close() {
	close(c.bell)
}
