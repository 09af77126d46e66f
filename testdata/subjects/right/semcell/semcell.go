// Package semcell has entries that lock themselves, by a channel and by a lock of their shard.
package semcell

import "sync"

type cell struct {
	turn chan struct{}
	n    int
}

func newCell() *cell { return &cell{turn: make(chan struct{}, 1)} }

// inc. Right: turn has one slot.
func (c *cell) inc() {
	c.turn <- struct{}{}
	c.n++
	<-c.turn
}

// Counters has cells.
type Counters struct {
	mu    sync.RWMutex
	cells map[string]*cell
}

// New makes one.
func New() *Counters { return &Counters{cells: map[string]*cell{}} }

// Inc counts. The lock for reading is for the map; the cell has its own.
func (c *Counters) Inc(k string) {
	c.mu.RLock()
	if x, ok := c.cells[k]; ok {
		x.inc()
		c.mu.RUnlock()
		return
	}
	c.mu.RUnlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	x, ok := c.cells[k]
	if !ok {
		x = newCell()
		c.cells[k] = x
	}
	c.cells[k].inc()
}
