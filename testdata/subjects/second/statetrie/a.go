package statetrie

import (
	"crypto/sha256"
	"errors"
	"maps"
	"sync"
)

var ErrContended = errors.New("statetrie: too much contention")

type Cache struct {
	mu      sync.Mutex
	version uint64
	root    [32]byte
	kv      map[string]string
}

func New() *Cache { return &Cache{kv: map[string]string{}} }

func (c *Cache) base() (map[string]string, uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.kv), c.version
}

func digest(kv map[string]string) (h [32]byte) {
	for k, v := range kv {
		d := sha256.Sum256([]byte(k + "\x00" + v))
		for i := range h {
			h[i] ^= d[i]
		}
	}
	return h
}

func (c *Cache) Commit(changes map[string]string) ([32]byte, error) {
	for try := 0; try < 16; try++ {
		kv, ver := c.base()
		maps.Copy(kv, changes)
		root := digest(kv)

		c.mu.Lock()
		if c.version == ver {
			c.version++
			c.root, c.kv = root, kv
			c.mu.Unlock()
			return root, nil
		}
		c.mu.Unlock()
	}
	return [32]byte{}, ErrContended
}

func (c *Cache) Root() [32]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.root
}
