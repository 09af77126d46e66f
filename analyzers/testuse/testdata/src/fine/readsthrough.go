package fine

import "sync"

// What Get fills in is what everybody would fill in: nobody else stores anything.

type rthroughBackend interface {
	Load(key string) (string, error)
}

type rthroughCache struct {
	mu      sync.RWMutex
	values  map[string]string
	backend rthroughBackend
}

func NewReadThrough(b rthroughBackend) *rthroughCache {
	return &rthroughCache{values: map[string]string{}, backend: b}
}

func (c *rthroughCache) Get(key string) (string, error) {
	c.mu.RLock()
	value, ok := c.values[key]
	c.mu.RUnlock()
	if ok {
		return value, nil
	}
	value, err := c.backend.Load(key)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	c.values[key] = value
	c.mu.Unlock()
	return value, nil
}

func (c *rthroughCache) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values = map[string]string{}
}
