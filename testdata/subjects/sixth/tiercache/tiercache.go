// Package tiercache keeps decoded values in memory in front of a slower tier.
package tiercache

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
	"time"
)

// Backend is the slow tier.
type Backend[V any] interface {
	Fetch(ctx context.Context, key string) (V, error)
	// Changes delivers the keys that were written by anybody.
	Changes() <-chan string
}

var ErrTransient = errors.New("tiercache: transient backend error")

type entry[V any] struct {
	val      V
	loadedAt time.Time
	hits     int
}

type Option func(*config)

type config struct {
	ttl     time.Duration
	max     int
	retries int
	logf    func(string, ...any)
}

func WithTTL(d time.Duration) Option { return func(c *config) { c.ttl = d } }
func WithMax(n int) Option           { return func(c *config) { c.max = n } }

type Cache[V any] struct {
	cfg     config
	backend Backend[V]

	lk     sync.Mutex
	items  map[string]*entry[V]
	misses int
	purged int
}

func New[V any](ctx context.Context, b Backend[V], opts ...Option) *Cache[V] {
	cfg := config{ttl: 5 * time.Minute, max: 10000, retries: 3, logf: log.Printf}
	for _, o := range opts {
		o(&cfg)
	}
	c := &Cache[V]{cfg: cfg, backend: b, items: make(map[string]*entry[V])}
	go c.follow(ctx)
	return c
}

func (c *Cache[V]) follow(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case key, ok := <-c.backend.Changes():
			if !ok {
				c.cfg.logf("tiercache: change feed closed")
				return
			}
			c.Invalidate(key)
		}
	}
}

// Get returns the value for key, from memory if it is fresh enough.
func (c *Cache[V]) Get(ctx context.Context, key string) (V, error) {
	c.lk.Lock()
	if e, ok := c.items[key]; ok && time.Since(e.loadedAt) < c.cfg.ttl {
		e.hits++
		v := e.val
		c.lk.Unlock()
		return v, nil
	}
	c.misses++
	c.lk.Unlock()

	val, err := c.fetch(ctx, key)
	if err != nil {
		var zero V
		return zero, fmt.Errorf("tiercache: get %q: %w", key, err)
	}

	c.lk.Lock()
	defer c.lk.Unlock()
	if len(c.items) >= c.cfg.max {
		c.evictLocked()
	}
	c.items[key] = &entry[V]{val: val, loadedAt: time.Now()}
	return val, nil
}

// Invalidate forgets key; the next Get goes to the backend.
func (c *Cache[V]) Invalidate(key string) {
	c.lk.Lock()
	defer c.lk.Unlock()
	if _, ok := c.items[key]; ok {
		delete(c.items, key)
		c.purged++
	}
}

func (c *Cache[V]) fetch(ctx context.Context, key string) (v V, err error) {
	for i := 0; i < c.cfg.retries; i++ {
		if v, err = c.backend.Fetch(ctx, key); !errors.Is(err, ErrTransient) {
			return v, err
		}
		select {
		case <-ctx.Done():
			return v, ctx.Err()
		case <-time.After(time.Duration(i+1) * 50 * time.Millisecond):
		}
	}
	return v, err
}

func (c *Cache[V]) evictLocked() {
	var victim string
	least := -1
	for k, e := range c.items {
		if least < 0 || e.hits < least {
			victim, least = k, e.hits
		}
	}
	delete(c.items, victim)
}
