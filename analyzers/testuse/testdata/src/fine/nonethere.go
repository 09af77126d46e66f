package fine

import (
	"math/rand"
	"sync"
)

type chair struct{ number int }

// Chairs looks again when it has the lock for writing, or never lets go of it.
type Chairs struct {
	mu    sync.RWMutex
	taken map[int]*chair
	list  []*chair
}

func (c *Chairs) Take(x *chair) int {
	c.mu.RLock()
	for at, other := range c.taken {
		if other == x {
			c.mu.RUnlock()
			return at
		}
	}
	c.mu.RUnlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	for at, other := range c.taken {
		if other == x {
			return at
		}
	}
	at := rand.Int()
	c.taken[at] = x
	return at
}

func (c *Chairs) Add(x *chair) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, other := range c.list {
		if other.number == x.number {
			return false
		}
	}
	c.list = append(c.list, x)
	return true
}

// AddOnce asks a method of the object, under the lock of the write.
func (c *Chairs) AddOnce(x *chair) bool {
	c.mu.RLock()
	for _, other := range c.list {
		if other.number == x.number {
			c.mu.RUnlock()
			return false
		}
	}
	c.mu.RUnlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.has(x.number) {
		return false
	}
	c.list = append(c.list, x)
	return true
}

func (c *Chairs) has(number int) bool {
	for _, other := range c.list {
		if other.number == number {
			return true
		}
	}
	return false
}

// Visits appends what comes, whether or not it has met the like: it returns what it met for the statistics.
type Visits struct {
	mu   sync.Mutex
	list []*chair
}

func (v *Visits) Note(x *chair) int {
	v.mu.Lock()
	met := 0
	for _, other := range v.list {
		if other.number == x.number {
			met++
		}
	}
	v.mu.Unlock()
	v.mu.Lock()
	v.list = append(v.list, x)
	v.mu.Unlock()
	return met
}
