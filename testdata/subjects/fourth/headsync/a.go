package headsync

import (
	"context"
	"fmt"
	"sync/atomic"
)

type Header struct {
	Number uint64
	Hash   string
}

type Source interface {
	Head(ctx context.Context) (Header, error)
}

type Chain struct {
	head    atomic.Pointer[Header]
	sources []Source
}

func NewChain(genesis Header, sources ...Source) *Chain {
	c := &Chain{sources: sources}
	c.head.Store(&genesis)
	return c
}

func (c *Chain) Advance(h Header) bool {
	cur := c.head.Load()
	for h.Number > cur.Number {
		if c.head.CompareAndSwap(cur, &h) {
			return true
		}
		cur = c.head.Load()
	}
	return false
}

func (c *Chain) Poll(ctx context.Context) error {
	errs := make(chan error, len(c.sources))
	for i, s := range c.sources {
		go func() {
			h, err := s.Head(ctx)
			if err != nil {
				errs <- fmt.Errorf("source %d: %w", i, err)
				return
			}
			c.Advance(h)
			errs <- nil
		}()
	}
	var first error
	for range c.sources {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}

func (c *Chain) Head() Header { return *c.head.Load() }
