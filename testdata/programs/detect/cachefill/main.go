// Cachefill answers requests from a cache that loads what is missing from a
// slow store, and checks that each key was loaded once.
//
// Broken, although every access is locked: cache.get looks the key up in one
// critical section and fills it in another. "Test entries[key], set
// entries[key]" is expected to be one step; of two requests that both miss,
// both load.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	clients = 4
	keys    = 25
)

type cache struct {
	mu      sync.RWMutex
	entries map[string]string
	loads   atomic.Int32
}

func (c *cache) get(key string) string {
	c.mu.RLock()
	value, ok := c.entries[key]
	c.mu.RUnlock()
	if ok {
		return value
	}
	value = c.load(key)
	c.mu.Lock()
	c.entries[key] = value
	c.mu.Unlock()
	return value
}

func (c *cache) load(key string) string {
	c.loads.Add(1)
	return "value of " + key
}

func main() {
	c := &cache{entries: make(map[string]string)}
	var running sync.WaitGroup
	for range clients {
		running.Go(func() {
			for k := range keys {
				time.Sleep(time.Duration(100+rand.IntN(1500)) * time.Microsecond)
				c.get(fmt.Sprint("key ", k))
			}
		})
	}
	running.Wait()
	if n := c.loads.Load(); n != keys {
		fmt.Printf("WRONG: %d loads for %d keys\n", n, keys)
		os.Exit(1)
	}
	fmt.Printf("ok: %d keys loaded once each\n", keys)
}
