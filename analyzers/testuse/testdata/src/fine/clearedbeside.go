package fine

import (
	"sync"
	"sync/atomic"
)

type Buffer struct{ n atomic.Int64 }

func (b *Buffer) Bump(n int) { b.n.Add(int64(n)) }

// Carriage loses its buffer only when it ends, or never: it is replaced by another one.
type Carriage struct {
	mu     sync.Mutex
	speed  int
	front  *Buffer
	back   *Buffer
	rolled atomic.Int64
}

func (c *Carriage) Roll(n int) {
	if c.front != nil && n > 0 {
		c.front.Bump(n)
	}
	if c.back != nil {
		c.back.Bump(n)
	}
	c.rolled.Add(int64(n))
}

func (c *Carriage) Close() { c.front = nil }

func (c *Carriage) SetBack(b *Buffer) { c.back = b }

func (c *Carriage) Speed() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.speed
}
