package fine

import (
	"container/list"
	"sync"
	"sync/atomic"
)

// A crate is found in the map under the lock, and what is read later does not change, or has
// a rule of its own.
type crate struct {
	label string // is set before the crate is put into the map
	size  atomic.Int64
	own   sync.Mutex
	count int // under own
	kept  int // under the lock of the map
	taken bool
	owner string
}

type Crates struct {
	*sync.RWMutex
	all   map[string]*crate
	stack []*crate
	order *list.List
}

func (c *Crates) Add(label string) {
	c.Lock()
	defer c.Unlock()
	x := &crate{label: label}
	x.kept = 1
	c.all[label] = x
	c.stack = append(c.stack, x)
	c.order.PushBack(x)
}

func (c *Crates) Keep(label string) {
	c.Lock()
	defer c.Unlock()
	if x, ok := c.all[label]; ok {
		x.kept++
		x.size.Add(1)
	}
}

func (c *Crates) Label(label string) (string, int64) {
	c.RLock()
	x, ok := c.all[label]
	c.RUnlock()
	if !ok {
		return "", 0
	}
	return x.label, x.size.Load()
}

func (c *Crates) Count(label string) int {
	c.RLock()
	x := c.all[label]
	c.RUnlock()
	x.own.Lock()
	defer x.own.Unlock()
	x.count++
	return x.count
}

// Pop owns what it has taken out.
func (c *Crates) Pop() int {
	c.Lock()
	n := len(c.stack)
	x := c.stack[n-1]
	c.stack = c.stack[:n-1]
	delete(c.all, x.label)
	c.Unlock()
	return x.kept
}

// Front has removed it from the list.
func (c *Crates) Remove(label string) int {
	c.Lock()
	x, ok := c.all[label]
	if ok {
		delete(c.all, label)
	}
	c.Unlock()
	if !ok {
		return 0
	}
	return x.kept
}

// All replaces the map, so that nobody else finds what was in it.
func (c *Crates) All() int {
	c.Lock()
	x := c.all["first"]
	c.all = map[string]*crate{}
	c.Unlock()
	return x.kept
}

// Again looks it up anew under the lock.
func (c *Crates) Again(label string) int {
	c.RLock()
	x := c.all[label]
	c.RUnlock()
	if x == nil {
		return 0
	}
	c.RLock()
	defer c.RUnlock()
	return x.kept
}

// Fresh uses an object of its own where there is none.
func (c *Crates) Fresh(label string) int {
	c.RLock()
	_, ok := c.all[label]
	c.RUnlock()
	x := &crate{}
	if !ok {
		x.kept = 3
	}
	return x.kept
}
