package compactor

import (
	"context"
	"fmt"
	"sync"
	"time"
)

type Engine interface {
	Compact(ctx context.Context, level int) (reclaimed int64, err error)
}

type Compactor struct {
	eng    Engine
	levels int
	min    time.Duration

	run  sync.Mutex
	last time.Time

	mu        sync.Mutex
	reclaimed int64
}

func New(e Engine, levels int, min time.Duration) *Compactor {
	return &Compactor{eng: e, levels: levels, min: min}
}

func (c *Compactor) Maybe(ctx context.Context) (bool, error) {
	if !c.run.TryLock() {
		return false, nil
	}
	defer c.run.Unlock()
	if time.Since(c.last) < c.min {
		return false, nil
	}
	for lvl := range c.levels {
		n, err := c.eng.Compact(ctx, lvl)
		if err != nil {
			return false, fmt.Errorf("level %d: %w", lvl, err)
		}
		c.note(n)
	}
	c.last = time.Now()
	return true, nil
}

func (c *Compactor) note(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reclaimed += n
}

func (c *Compactor) Reclaimed() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reclaimed
}
