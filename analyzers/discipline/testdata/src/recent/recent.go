// Package recent is a cache without a lock of its own, whose look-ups move what
// they find to the front.
package recent

import "container/list"

type Cache struct {
	order *list.List
	items map[string]*list.Element
}

func New() *Cache {
	return &Cache{order: list.New(), items: map[string]*list.Element{}}
}

func (c *Cache) Get(key string) (any, bool) {
	if e, ok := c.items[key]; ok {
		c.order.MoveToFront(e)
		return e.Value, true
	}
	return nil, false
}

func (c *Cache) Add(key string, v any) {
	c.items[key] = c.order.PushFront(v)
}

func (c *Cache) Len() int { return len(c.items) }

func (c *Cache) Copy(to []string) {
	i := 0
	for k := range c.items {
		to[i] = k
		i++
	}
}
