// Package checkout has a pool whose connections tell who has them.
package checkout

import (
	"sync"
	"sync/atomic"
)

// Conn is a pooled connection.
type Conn struct {
	used atomic.Bool
	id   int
}

// checkout says whether the caller has got it.
func (c *Conn) checkout() bool { return c.used.CompareAndSwap(false, true) }

// Pool is a pool.
type Pool struct {
	idle sync.Map
	next atomic.Int64
}

// Get takes one. Right: the one who has checked it out has it; the others go on with the walk,
// and the deletion is only to keep the map short.
func (p *Pool) Get() *Conn {
	var c *Conn
	p.idle.Range(func(k, v any) bool {
		x := v.(*Conn)
		if !x.checkout() {
			return true
		}
		c = x
		p.idle.Delete(k)
		return false
	})
	if c == nil {
		c = &Conn{id: int(p.next.Add(1))}
		c.used.Store(true)
	}
	return c
}

// Put gives it back, under a key of its own.
func (p *Pool) Put(c *Conn) {
	c.used.Store(false)
	p.idle.Store(c.id, c)
}
