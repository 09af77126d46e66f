package broken

import "sync"

// A cache that is written back later: what Set was given is lost where get puts the older value over it.

type wbackBackend interface {
	Load(key string) (string, error)
}

type wbackCache struct {
	mu      sync.RWMutex
	values  map[string]string
	backend wbackBackend
}

func NewWriteBack(b wbackBackend) *wbackCache {
	return &wbackCache{values: map[string]string{}, backend: b}
}

func (c *wbackCache) Get(key string) (string, error) {
	c.mu.RLock()
	value, ok := c.values[key] // want `two goroutines can both pass the test of c\.values\[key\] and both set it: c\.mu is held for reading first`
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

func (c *wbackCache) Set(key, value string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values[key] = value
}
