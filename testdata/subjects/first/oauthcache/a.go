package oauthcache

import (
	"context"
	"sync"
	"time"
)

type Exchanger interface {
	Exchange(ctx context.Context, scope string) (token string, ttl time.Duration, err error)
}

type entry struct {
	value  string
	expiry time.Time
}

type Cache struct {
	mu      sync.Mutex
	ex      Exchanger
	entries map[string]*entry
}

func NewCache(ctx context.Context, ex Exchanger, every time.Duration) *Cache {
	c := &Cache{ex: ex, entries: map[string]*entry{}}
	go func() {
		for {
			select {
			case <-time.After(every):
				c.refresh(ctx)
			case <-ctx.Done():
				return
			}
		}
	}()
	return c
}

func (c *Cache) refresh(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for scope, e := range c.entries {
		tok, ttl, err := c.ex.Exchange(ctx, scope)
		if err != nil {
			continue
		}
		e.value = tok
		e.expiry = time.Now().Add(ttl)
	}
}

func (c *Cache) Token(scope string) (string, time.Time, bool) {
	c.mu.Lock()
	e, ok := c.entries[scope]
	c.mu.Unlock()
	if !ok {
		return "", time.Time{}, false
	}
	return e.value, e.expiry, true
}

func (c *Cache) Put(scope, tok string, ttl time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[scope] = &entry{value: tok, expiry: time.Now().Add(ttl)}
}
