package topicmeta

import (
	"sync"
	"sync/atomic"
)

type Topic struct {
	Name       string
	Partitions int
	next       atomic.Uint32
}

func (t *Topic) NextPartition() int {
	return int(t.next.Add(1)-1) % t.Partitions
}

type Catalog struct {
	mu         sync.RWMutex
	topics     map[string]*Topic
	partitions int
}

func NewCatalog(partitions int) *Catalog {
	return &Catalog{topics: make(map[string]*Topic), partitions: partitions}
}

func (c *Catalog) Topic(name string) *Topic {
	c.mu.RLock()
	t := c.topics[name]
	c.mu.RUnlock()
	if t != nil {
		return t
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, ok := c.topics[name]; ok {
		return t
	}
	t = &Topic{Name: name, Partitions: c.partitions}
	c.topics[name] = t
	return t
}

func (c *Catalog) Names() []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	names := make([]string, 0, len(c.topics))
	for n := range c.topics {
		names = append(names, n)
	}
	return names
}
