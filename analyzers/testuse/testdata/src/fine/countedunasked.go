package fine

import (
	"sync"
	"sync/atomic"
)

// WineCount counts what it has put, and asks when it takes.

type WineCount struct {
	n    atomic.Int32
	wine sync.Map
}

func (c *WineCount) Put(k string, v int) bool {
	_, had := c.wine.LoadOrStore(k, v)
	if !had {
		c.n.Add(1)
	}
	return had
}

func (c *WineCount) Throw(k string) {
	if _, had := c.wine.LoadAndDelete(k); had {
		c.n.Add(-1)
	}
}

func (c *WineCount) Len() int { return int(c.n.Load()) }

// Attic counts its visits, and not its entries.

type Attic struct {
	open atomic.Int32
	keys sync.Map
}

func (a *Attic) Leave(k string) {
	a.open.Add(-1)
	a.keys.Delete(k)
}

func (a *Attic) Come(k string) {
	a.open.Add(1)
	a.keys.Store(k, true)
}
