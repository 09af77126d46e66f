package blobcache

import (
	"context"
	"sync"
)

type Backend interface {
	Read(ctx context.Context, key string) ([]byte, error)
	Write(ctx context.Context, key string, data []byte) error
}

type Cache struct {
	mu      sync.Mutex
	backend Backend
	blobs   map[string][]byte
}

func New(b Backend) *Cache {
	return &Cache{backend: b, blobs: map[string][]byte{}}
}

func (c *Cache) Get(ctx context.Context, key string) ([]byte, error) {
	c.mu.Lock()
	data, ok := c.blobs[key]
	c.mu.Unlock()
	if ok {
		return data, nil
	}
	data, err := c.backend.Read(ctx, key)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.blobs[key] = data
	c.mu.Unlock()
	return data, nil
}

func (c *Cache) Put(ctx context.Context, key string, data []byte) error {
	if err := c.backend.Write(ctx, key, data); err != nil {
		return err
	}
	c.mu.Lock()
	c.blobs[key] = data
	c.mu.Unlock()
	return nil
}

func (c *Cache) Invalidate(key string) {
	c.mu.Lock()
	delete(c.blobs, key)
	c.mu.Unlock()
}
