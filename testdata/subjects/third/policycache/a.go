package policycache

import (
	"context"
	"fmt"
	"sync"
)

type Policy struct {
	Tenant string
	Allow  []string
}

type Source interface {
	Load(ctx context.Context, tenant string) (*Policy, error)
}

type Cache struct {
	src Source

	mu    sync.Mutex
	epoch uint64
	known map[string]*Policy
}

func NewCache(src Source) *Cache {
	return &Cache{src: src, known: make(map[string]*Policy)}
}

func (c *Cache) Policy(ctx context.Context, tenant string) (*Policy, error) {
	c.mu.Lock()
	p, epoch := c.known[tenant], c.epoch
	c.mu.Unlock()
	if p != nil {
		return p, nil
	}

	p, err := c.src.Load(ctx, tenant)
	if err != nil {
		return nil, fmt.Errorf("policy of %s: %w", tenant, err)
	}

	c.mu.Lock()
	if c.epoch == epoch {
		c.known[tenant] = p
	}
	c.mu.Unlock()
	return p, nil
}

func (c *Cache) Invalidate(tenants ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	for _, t := range tenants {
		delete(c.known, t)
	}
}

func (c *Cache) Allowed(ctx context.Context, tenant, action string) (bool, error) {
	p, err := c.Policy(ctx, tenant)
	if err != nil {
		return false, err
	}
	for _, a := range p.Allow {
		if a == action || a == "*" {
			return true, nil
		}
	}
	return false, nil
}
