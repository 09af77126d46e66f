// Package containers is made up of maps that are safe for concurrent use.
package containers

import "sync"

// LRU has no method that looks and stores in one step.
type LRU[K comparable, V any] struct {
	mu    sync.Mutex
	items map[K]*item[V]
	turn  int
}

type item[V any] struct {
	value V
	turn  int
}

func (c *LRU[K, V]) Get(k K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[k]; ok {
		c.turn++
		e.turn = c.turn
		return e.value, true
	}
	return v, false
}

func (c *LRU[K, V]) Contains(k K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.items[k]
	return ok
}

func (c *LRU[K, V]) Add(k K, v V) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[k]; ok {
		e.value = v
		return false
	}
	c.items[k] = &item[V]{value: v}
	return true
}

func (c *LRU[K, V]) Remove(k K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.items[k]; ok {
		delete(c.items, k)
		return true
	}
	return false
}

// Cache is a shell around what has the lock.
type Cache struct{ *cache }

type cache struct {
	mu    sync.RWMutex
	items map[string]*item[any]
}

func (c *cache) Get(k string) (any, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.items[k]
	if !ok || e.turn < 0 {
		return nil, false
	}
	return e.value, true
}

func (c *cache) Set(k string, v any, seconds int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[k]; ok {
		e.value = v
		return
	}
	c.items[k] = &item[any]{v, seconds}
}

func (c *cache) Delete(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.items[k]; ok {
		delete(c.items, k)
	}
}

// Simple has no lock.
type Simple[K comparable, V any] struct{ items map[K]V }

func (c *Simple[K, V]) Get(k K) (v V, ok bool) { v, ok = c.items[k]; return v, ok }

func (c *Simple[K, V]) Add(k K, v V) { c.items[k] = v }
