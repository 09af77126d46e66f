package thumbcache

import (
	"container/list"
	"sync"
)

type item struct {
	key  string
	data []byte
}

type Cache struct {
	mu    sync.Mutex
	max   int
	bytes int
	order *list.List
	index map[string]*list.Element
}

func New(max int) *Cache {
	return &Cache{max: max, order: list.New(), index: make(map[string]*list.Element)}
}

func (c *Cache) locked(fn func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fn()
}

func (c *Cache) Put(key string, data []byte) (evicted []string) {
	var surplus int
	c.locked(func() {
		if el, ok := c.index[key]; ok {
			c.bytes -= len(el.Value.(*item).data)
			c.order.Remove(el)
		}
		c.index[key] = c.order.PushFront(&item{key, data})
		c.bytes += len(data)
		surplus = c.bytes - c.max
	})
	for surplus > 0 {
		c.locked(func() {
			el := c.order.Back()
			if el == nil {
				surplus = 0
				return
			}
			it := c.order.Remove(el).(*item)
			delete(c.index, it.key)
			c.bytes -= len(it.data)
			surplus -= len(it.data)
			evicted = append(evicted, it.key)
		})
	}
	return evicted
}

func (c *Cache) Get(key string) (data []byte, ok bool) {
	c.locked(func() {
		if el, hit := c.index[key]; hit {
			c.order.MoveToFront(el)
			data, ok = el.Value.(*item).data, true
		}
	})
	return data, ok
}
