package cachemetrics

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

type Stats struct {
	hits, misses atomic.Uint64
}

func (s *Stats) Ratio() float64 {
	h := s.hits.Load()
	m := s.misses.Load()
	if h+m == 0 {
		return 0
	}
	return float64(h) / float64(h+m)
}

type Cache struct {
	mu    sync.RWMutex
	vals  map[string]string
	Stats Stats
}

func NewCache() *Cache { return &Cache{vals: make(map[string]string)} }

func (c *Cache) Get(k string) (string, bool) {
	c.mu.RLock()
	v, ok := c.vals[k]
	c.mu.RUnlock()
	if ok {
		c.Stats.hits.Add(1)
	} else {
		c.Stats.misses.Add(1)
	}
	return v, ok
}

func (c *Cache) Set(k, v string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.vals[k] = v
}

func (c *Cache) WriteMetrics(w io.Writer) error {
	_, err := fmt.Fprintf(w, "cache_hit_ratio %.4f\n", c.Stats.Ratio())
	return err
}
