// Package gencache caches loaded values and hears of changes over a bus.
package gencache

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

type Loader[K comparable, V any] func(ctx context.Context, key K) (V, error)

// Bus delivers the keys that other processes changed.
type Bus[K comparable] interface {
	Subscribe(ctx context.Context) (<-chan K, error)
}

var ErrBus = errors.New("gencache: bus unavailable")

type cell[V any] struct {
	val    V
	loaded time.Time
	used   uint64
}

type Cache[K comparable, V any] struct {
	load Loader[K, V]
	ttl  time.Duration
	max  int
	log  *slog.Logger

	mx      sync.Mutex
	cells   map[K]cell[V]
	gens    map[K]uint64
	allGen  uint64
	clock   uint64
	dropped int
}

func New[K comparable, V any](load Loader[K, V], ttl time.Duration, max int, log *slog.Logger) *Cache[K, V] {
	return &Cache[K, V]{
		load:  load,
		ttl:   ttl,
		max:   max,
		log:   log,
		cells: make(map[K]cell[V]),
		gens:  make(map[K]uint64),
	}
}

// Follow applies the bus's invalidations until ctx ends.
func (c *Cache[K, V]) Follow(ctx context.Context, bus Bus[K]) error {
	for ctx.Err() == nil {
		ch, err := bus.Subscribe(ctx)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrBus, err)
		}
		c.Reset()
		for k := range ch {
			c.Invalidate(k)
		}
		c.log.Warn("invalidation bus interrupted")
	}
	return ctx.Err()
}

// Get returns the cached value of key or loads it.
func (c *Cache[K, V]) Get(ctx context.Context, key K) (V, error) {
	c.mx.Lock()
	c.clock++
	if e, ok := c.cells[key]; ok && time.Since(e.loaded) < c.ttl {
		e.used = c.clock
		c.cells[key] = e
		c.mx.Unlock()
		return e.val, nil
	}
	gen, all := c.gens[key], c.allGen
	c.mx.Unlock()

	start := time.Now()
	val, err := c.load(ctx, key)
	if err != nil {
		var zero V
		return zero, fmt.Errorf("gencache: load %v: %w", key, err)
	}

	c.mx.Lock()
	defer c.mx.Unlock()
	if c.gens[key] != gen || c.allGen != all {
		c.dropped++
		c.log.Debug("loaded value is stale, not kept", "key", key, "took", time.Since(start))
		return val, nil
	}
	if len(c.cells) >= c.max {
		c.evictLocked()
	}
	c.cells[key] = cell[V]{val: val, loaded: start, used: c.clock}
	return val, nil
}

// Invalidate forgets key and whatever is being loaded for it.
func (c *Cache[K, V]) Invalidate(key K) {
	c.mx.Lock()
	defer c.mx.Unlock()
	c.gens[key]++
	delete(c.cells, key)
}

// Reset forgets everything.
func (c *Cache[K, V]) Reset() {
	c.mx.Lock()
	defer c.mx.Unlock()
	c.allGen++
	clear(c.gens)
	clear(c.cells)
}

func (c *Cache[K, V]) evictLocked() {
	var victim K
	first := true
	var oldest uint64
	for k, e := range c.cells {
		if first || e.used < oldest {
			victim, oldest, first = k, e.used, false
		}
	}
	delete(c.cells, victim)
}
