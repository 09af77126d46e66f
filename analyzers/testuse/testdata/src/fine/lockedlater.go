package fine

import "sync"

// Census counts in a goroutine of its own, which alone knows whom it has seen.
type Census struct {
	names  chan string
	mu     sync.Mutex
	seen   map[string]bool
	totals map[string]int
}

func NewCensus() *Census {
	c := &Census{names: make(chan string), seen: map[string]bool{}, totals: map[string]int{}}
	go c.count()
	return c
}

func (c *Census) count() {
	for n := range c.names {
		if !c.seen[n] {
			c.seen[n] = true
			c.names <- n + " is new"
		}
		c.mu.Lock()
		c.totals[n]++
		c.mu.Unlock()
	}
}

func (c *Census) Total(n string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.totals[n]
}

// Roll looks and marks under its lock.
type Roll struct {
	mu     sync.Mutex
	marked map[string]bool
	called map[string]int
}

func NewRoll() *Roll { return &Roll{marked: map[string]bool{}, called: map[string]int{}} }

func (r *Roll) Call(n string) bool {
	r.mu.Lock()
	first := !r.marked[n]
	if first {
		r.marked[n] = true
	}
	r.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.called[n]++
	return first
}
