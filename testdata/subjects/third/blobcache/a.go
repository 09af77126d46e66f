package blobcache

import (
	"errors"
	"os"
	"sync"
	"time"
)

var ErrMiss = errors.New("blob not cached")

type entry struct {
	path string
	size int64
	hits int
	last time.Time
}

type Cache struct {
	mu    sync.Mutex
	limit int64
	used  int64
	blobs map[string]*entry
}

func Open(limit int64) *Cache {
	return &Cache{limit: limit, blobs: map[string]*entry{}}
}

func (c *Cache) Add(digest, path string, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.blobs[digest]; ok {
		return
	}
	c.blobs[digest] = &entry{path: path, size: size, last: time.Now()}
	c.used += size
	for c.used > c.limit && len(c.blobs) > 1 {
		c.evict()
	}
}

func (c *Cache) evict() {
	var key string
	var old *entry
	for k, e := range c.blobs {
		if old == nil || e.last.Before(old.last) {
			key, old = k, e
		}
	}
	delete(c.blobs, key)
	c.used -= old.size
	_ = os.Remove(old.path)
}

func (c *Cache) Get(digest string) (*os.File, error) {
	c.mu.Lock()
	e, ok := c.blobs[digest]
	c.mu.Unlock()
	if !ok {
		return nil, ErrMiss
	}
	e.hits++
	e.last = time.Now()
	return os.Open(e.path)
}
