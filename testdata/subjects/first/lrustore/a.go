package lrustore

import (
	"container/list"
	"sync"
)

type kv[K comparable, V any] struct {
	key K
	val V
}

type LRU[K comparable, V any] struct {
	mu    sync.RWMutex
	size  int
	ll    *list.List
	items map[K]*list.Element
	hits  int
	onOut func(K, V)
}

func New[K comparable, V any](size int, onOut func(K, V)) *LRU[K, V] {
	return &LRU[K, V]{size: size, ll: list.New(), items: make(map[K]*list.Element), onOut: onOut}
}

func (c *LRU[K, V]) Get(k K) (v V, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	el, ok := c.items[k]
	if !ok {
		return v, false
	}
	c.hits++
	c.ll.MoveToFront(el)
	return el.Value.(*kv[K, V]).val, true
}

func (c *LRU[K, V]) Add(k K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.items[k]; ok {
		el.Value.(*kv[K, V]).val = v
		c.ll.MoveToFront(el)
		return
	}
	c.items[k] = c.ll.PushFront(&kv[K, V]{k, v})
	if c.ll.Len() <= c.size {
		return
	}
	last := c.ll.Remove(c.ll.Back()).(*kv[K, V])
	delete(c.items, last.key)
	if c.onOut != nil {
		c.onOut(last.key, last.val)
	}
}

func (c *LRU[K, V]) Hits() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.hits
}
