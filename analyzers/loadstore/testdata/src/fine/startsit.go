package fine

import (
	"context"
	"sync"
)

// Chore is started once, and holds the lock for reading meanwhile.
type Chore struct {
	mu    sync.RWMutex
	ctx   context.Context
	tools []string
	end   context.CancelFunc
}

// Start starts it.
func (c *Chore) Start(ctx context.Context, end context.CancelFunc) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.ctx, c.end = ctx, end
	for range 3 {
		c.tools = append(c.tools, "tool")
	}
}

// Stop ends it.
func (c *Chore) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end != nil {
		c.end()
	}
	c.tools = nil
}
