// Package recentcache is a sharded cache that drops what was used least recently.
package recentcache

import (
	"container/list"
	"hash/maphash"
	"sync"
	"sync/atomic"
)

const shardCount = 16

type pair[V any] struct {
	key   string
	value V
}

type shard[V any] struct {
	sync.RWMutex
	items map[string]*list.Element
	lru   *list.List
	cap   int
}

func (s *shard[V]) lookup(key string) (v V, ok bool) {
	s.RLock()
	defer s.RUnlock()
	el, ok := s.items[key]
	if !ok {
		return v, false
	}
	s.lru.MoveToFront(el)
	return el.Value.(*pair[V]).value, true
}

func (s *shard[V]) store(key string, value V) (evicted *pair[V]) {
	s.Lock()
	defer s.Unlock()
	if el, ok := s.items[key]; ok {
		el.Value = &pair[V]{key, value}
		s.lru.MoveToFront(el)
		return nil
	}
	s.items[key] = s.lru.PushFront(&pair[V]{key, value})
	if s.lru.Len() <= s.cap {
		return nil
	}
	p := s.lru.Remove(s.lru.Back()).(*pair[V])
	delete(s.items, p.key)
	return p
}

func (s *shard[V]) remove(key string) bool {
	s.Lock()
	defer s.Unlock()
	el, ok := s.items[key]
	if ok {
		s.lru.Remove(el)
		delete(s.items, key)
	}
	return ok
}

// Cache is safe for concurrent use.
type Cache[V any] struct {
	seed    maphash.Seed
	shards  [shardCount]*shard[V]
	onEvict func(key string, value V)

	hits, misses atomic.Uint64
}

func New[V any](capacity int, onEvict func(string, V)) *Cache[V] {
	c := &Cache[V]{seed: maphash.MakeSeed(), onEvict: onEvict}
	for i := range c.shards {
		c.shards[i] = &shard[V]{
			items: make(map[string]*list.Element),
			lru:   list.New(),
			cap:   max(1, capacity/shardCount),
		}
	}
	return c
}

func (c *Cache[V]) shardOf(key string) *shard[V] {
	return c.shards[maphash.String(c.seed, key)%shardCount]
}

func (c *Cache[V]) Get(key string) (V, bool) {
	v, ok := c.shardOf(key).lookup(key)
	if ok {
		c.hits.Add(1)
	} else {
		c.misses.Add(1)
	}
	return v, ok
}

func (c *Cache[V]) Put(key string, value V) {
	p := c.shardOf(key).store(key, value)
	if p != nil && c.onEvict != nil {
		c.onEvict(p.key, p.value)
	}
}

func (c *Cache[V]) Remove(key string) bool { return c.shardOf(key).remove(key) }

func (c *Cache[V]) Ratio() float64 {
	h, m := c.hits.Load(), c.misses.Load()
	if h+m == 0 {
		return 0
	}
	return float64(h) / float64(h+m)
}
