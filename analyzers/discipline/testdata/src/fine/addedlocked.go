package fine

import "sync"

// Chain is put together under a lock that guards more than the list.
type Chain struct {
	mu    sync.Mutex
	links []func(int) int
	sum   int
}

// Run is not known to meet Link.
func (c *Chain) Run(n int) int {
	for _, l := range c.links {
		n = l(n)
	}
	return n
}

func (c *Chain) Link(l func(int) int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.links = append(c.links, l)
	c.sum++
}

func (c *Chain) Sum() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sum
}

// Ladder has its steps added by what builds it.
type Ladder struct {
	mu    sync.Mutex
	steps []func(int) int
}

func (l *Ladder) Climb(n int) int {
	for _, s := range l.steps {
		n = s(n)
	}
	return n
}

func (l *Ladder) WithStep(s func(int) int) *Ladder {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.steps = append(l.steps, s)
	return l
}
