package broken

import (
	"context"
	"sync"
)

// Errand is started once, and holds the lock for reading meanwhile.
type Errand struct {
	mu    sync.RWMutex
	ctx   context.Context
	tools []string
	end   context.CancelFunc
}

// Renew takes other tools.
func (c *Errand) Renew(ctx context.Context, end context.CancelFunc) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.ctx, c.end = ctx, end // want `c.end is written here with c.mu held for reading only`
	for range 3 {
		c.tools = append(c.tools, "tool")
	}
}

// Stop ends it.
func (c *Errand) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end != nil {
		c.end()
	}
	c.tools = nil
}
