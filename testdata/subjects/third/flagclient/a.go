package flagclient

import (
	"context"
	"fmt"
	"sync"
	"time"
)

type Fetcher interface {
	Fetch(ctx context.Context) (map[string]bool, error)
}

type Client struct {
	f        Fetcher
	interval time.Duration

	mu     sync.RWMutex
	loaded bool
	flags  map[string]bool
	stop   context.CancelFunc
}

func New(f Fetcher, every time.Duration) *Client {
	return &Client{f: f, interval: every}
}

func (c *Client) ensure(ctx context.Context) error {
	if c.loaded {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	flags, err := c.f.Fetch(ctx)
	if err != nil {
		return fmt.Errorf("initial fetch: %w", err)
	}
	pctx, cancel := context.WithCancel(context.Background())
	c.flags, c.stop = flags, cancel
	go c.poll(pctx)
	c.loaded = true
	return nil
}

func (c *Client) Bool(ctx context.Context, key string, def bool) bool {
	if err := c.ensure(ctx); err != nil {
		return def
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if v, ok := c.flags[key]; ok {
		return v
	}
	return def
}

func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop != nil {
		c.stop()
	}
}

func (c *Client) poll(ctx context.Context) {
	t := time.NewTicker(c.interval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if flags, err := c.f.Fetch(ctx); err == nil {
				c.mu.Lock()
				c.flags = flags
				c.mu.Unlock()
			}
		}
	}
}
