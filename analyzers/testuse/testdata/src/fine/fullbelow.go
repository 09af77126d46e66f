package fine

import (
	"errors"
	"sync"

	"rings"
)

var errNoBed = errors.New("no bed left")

// Clinic looks again under the lock before it takes somebody in.
type Clinic struct {
	mu       sync.RWMutex
	patients rings.Ring
	beds     int
}

func (c *Clinic) TakeIn(name string) error {
	if c.isFull() {
		return errNoBed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.patients.Len() >= c.beds {
		return errNoBed
	}
	c.patients.PushBack(name)
	return nil
}

func (c *Clinic) isFull() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.patients.Len() >= c.beds
}

// Hostel drops the oldest guest where there are too many; who comes is always let in.
type Hostel struct {
	mu     sync.RWMutex
	guests rings.Ring
	beds   int
}

func (h *Hostel) Enter(name string) {
	if h.isFull() {
		h.mu.Lock()
		if h.guests.Len() >= h.beds {
			h.guests.PopFront()
		}
		h.mu.Unlock()
	}
	h.mu.Lock()
	h.guests.PushBack(name)
	h.mu.Unlock()
}

func (h *Hostel) isFull() bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.guests.Len() >= h.beds
}

// Cell is added to by one goroutine alone, which it starts.
type Cell struct {
	mu    sync.RWMutex
	notes rings.Ring
	most  int
}

func NewCell(from <-chan string) *Cell {
	c := &Cell{most: 8}
	go c.listen(from)
	return c
}

func (c *Cell) listen(from <-chan string) {
	for n := range from {
		if c.isFull() {
			continue
		}
		c.mu.Lock()
		c.notes.PushBack(n)
		c.mu.Unlock()
	}
}

func (c *Cell) Take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.notes.Len() == 0 {
		return ""
	}
	return c.notes.PopFront()
}

func (c *Cell) isFull() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.notes.Len() >= c.most
}
