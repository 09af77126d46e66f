// Package elbusy leases workers: who is in the set of leased ones belongs to the lessee.
package elbusy

import (
	"errors"
	"sync"
)

type worker struct {
	id   int
	runs int
}

func (w *worker) do(f func(int)) { f(w.id) }

// Crew has a number of workers.
type Crew struct {
	mu     sync.Mutex
	all    map[int]*worker
	leased map[int]bool
}

// New makes a crew of n.
func New(n int) *Crew {
	c := &Crew{all: map[int]*worker{}, leased: map[int]bool{}}
	for i := range n {
		c.all[i] = &worker{id: i}
	}
	return c
}

// Run lets the worker of that number run f; it is leased meanwhile.
func (c *Crew) Run(id int, f func(int)) error {
	c.mu.Lock()
	w := c.all[id]
	if w == nil || c.leased[id] {
		c.mu.Unlock()
		return errors.New("elbusy: not free")
	}
	c.leased[id] = true
	c.mu.Unlock()

	w.runs++
	w.do(f)

	c.mu.Lock()
	delete(c.leased, id)
	c.mu.Unlock()
	return nil
}

// Reset counts anew for those who are free.
func (c *Crew) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, w := range c.all {
		if !c.leased[id] {
			w.runs = 0
		}
	}
}
