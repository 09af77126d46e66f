package dnsnegcache

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

type answer struct {
	addrs []netip.Addr
	until time.Time
}

type LookupFunc func(ctx context.Context, host string) ([]netip.Addr, time.Duration, error)

type Cache struct {
	m      sync.Map
	lookup LookupFunc
}

func NewCache(ctx context.Context, lookup LookupFunc) *Cache {
	c := &Cache{lookup: lookup}
	go func() {
		t := time.NewTicker(30 * time.Second)
		defer t.Stop()
		for {
			select {
			case now := <-t.C:
				c.sweep(now)
			case <-ctx.Done():
				return
			}
		}
	}()
	return c
}

func (c *Cache) Resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if v, ok := c.m.Load(host); ok {
		if a := v.(*answer); time.Now().Before(a.until) {
			return a.addrs, nil
		}
	}
	addrs, ttl, err := c.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	c.m.Store(host, &answer{addrs: addrs, until: time.Now().Add(ttl)})
	return addrs, nil
}

func (c *Cache) sweep(now time.Time) {
	c.m.Range(func(k, v any) bool {
		if now.After(v.(*answer).until) {
			c.m.Delete(k)
		}
		return true
	})
}
