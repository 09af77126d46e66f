// Package waitsfor holds its lock until the goroutine is through.
package waitsfor

import (
	"errors"
	"sync"
	"time"
)

// Cache loads in a goroutine, to be able to give up... it never does without the answer.
type Cache struct {
	mu      sync.Mutex
	current string
	loaded  map[string]int
}

// New makes one.
func New() *Cache { return &Cache{loaded: map[string]int{}} }

// Load. Right: the lock is held until the goroutine has sent, which is the last that it does.
func (c *Cache) Load(name string, open func(string) (string, error)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	errc := make(chan error, 1)
	go func() {
		v, err := open(name)
		if err == nil {
			c.current = v
			c.loaded[name]++
		}
		errc <- err
	}()
	slow := time.NewTimer(time.Second)
	defer slow.Stop()
	for {
		select {
		case err := <-errc:
			return errors.Join(err)
		case <-slow.C:
			println("slow:", name)
		}
	}
}

// LoadAll. Right: the lock is held until the group is through.
func (c *Cache) LoadAll(names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var group sync.WaitGroup
	group.Go(func() {
		for _, n := range names {
			c.loaded[n]++
		}
	})
	group.Wait()
}

// Current is the last one.
func (c *Cache) Current() (string, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current, c.loaded[c.current]
}
