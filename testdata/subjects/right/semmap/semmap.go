// Package semmap has a channel of one slot for a lock around the takers.
package semmap

import "sync"

// Conn is a pooled connection.
type Conn struct{ id int }

// Pool is a pool.
type Pool struct {
	idle  sync.Map
	takes chan struct{}
}

// New makes one.
func New() *Pool { return &Pool{takes: make(chan struct{}, 1)} }

// Get takes one. Right: takes has one slot; who has filled it is alone until it empties it.
func (p *Pool) Get() *Conn {
	p.takes <- struct{}{}
	defer func() { <-p.takes }()
	var c *Conn
	p.idle.Range(func(k, v any) bool {
		c = v.(*Conn)
		p.idle.Delete(k)
		return false
	})
	return c
}

// Put gives it back.
func (p *Pool) Put(c *Conn) { p.idle.Store(c.id, c) }

// Board is a pool whose takers ask after the walk.
type Board struct{ open sync.Map }

// Post puts one on.
func (b *Board) Post(id int, c *Conn) { b.open.Store(id, c) }

// Claim takes one. Right: LoadAndDelete after the walk tells who has it.
func (b *Board) Claim() *Conn {
	for {
		var c *Conn
		var key any
		b.open.Range(func(k, v any) bool {
			c = v.(*Conn)
			key = k
			return false
		})
		if c == nil {
			return nil
		}
		if _, mine := b.open.LoadAndDelete(key); mine {
			return c
		}
	}
}
