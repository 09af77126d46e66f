package dnslru

import (
	"container/list"
	"net/netip"
	"sync"
	"time"
)

type record struct {
	host   string
	addrs  []netip.Addr
	expire time.Time
}

type Cache struct {
	mu    sync.RWMutex
	max   int
	order *list.List
	index map[string]*list.Element
	hits  uint64
}

func New(max int) *Cache {
	return &Cache{max: max, order: list.New(), index: make(map[string]*list.Element)}
}

func (c *Cache) Put(host string, addrs []netip.Addr, ttl time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	rec := &record{host, addrs, time.Now().Add(ttl)}
	if el, ok := c.index[host]; ok {
		el.Value = rec
		c.order.MoveToFront(el)
		return
	}
	c.index[host] = c.order.PushFront(rec)
	for c.order.Len() > c.max {
		last := c.order.Back()
		c.order.Remove(last)
		delete(c.index, last.Value.(*record).host)
	}
}

func (c *Cache) Lookup(host string) ([]netip.Addr, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	el, ok := c.index[host]
	if !ok {
		return nil, false
	}
	rec := el.Value.(*record)
	if time.Now().After(rec.expire) {
		return nil, false
	}
	c.hits++
	c.order.MoveToFront(el)
	return rec.addrs, true
}

func (c *Cache) Hits() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.hits
}
