// Package mmaprefs shares read-only file regions between readers.
package mmaprefs

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"sync/atomic"
)

var (
	ErrFreed  = errors.New("mmaprefs: region is gone")
	ErrBounds = errors.New("mmaprefs: out of bounds")
)

// Region is the content of one file. It is born with one reference, the cache's.
type Region struct {
	path string
	data []byte
	refs atomic.Int64
	free func(*Region)
}

func (r *Region) acquire() bool {
	for {
		n := r.refs.Load()
		if n <= 0 {
			return false
		}
		if r.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Release gives one reference back.
func (r *Region) Release() {
	switch n := r.refs.Add(-1); {
	case n == 0:
		r.free(r)
	case n < 0:
		panic("mmaprefs: released too often: " + r.path)
	}
}

// ReadAt implements io.ReaderAt; the caller holds a reference.
func (r *Region) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, ErrBounds
	}
	if off >= int64(len(r.data)) {
		return 0, io.EOF
	}
	n := copy(p, r.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

type Cache struct {
	max    int64
	inUse  atomic.Int64
	frees  atomic.Uint64
	byPath sync.Map // string -> *Region
	loadMu sync.Mutex
}

func NewCache(maxBytes int64) *Cache { return &Cache{max: maxBytes} }

// Open returns the region of path with a reference for the caller.
func (c *Cache) Open(path string) (*Region, error) {
	if v, ok := c.byPath.Load(path); ok {
		if r := v.(*Region); r.acquire() {
			return r, nil
		}
	}
	return c.load(path)
}

func (c *Cache) load(path string) (*Region, error) {
	c.loadMu.Lock()
	defer c.loadMu.Unlock()
	if v, ok := c.byPath.Load(path); ok {
		if r := v.(*Region); r.acquire() {
			return r, nil
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("mmaprefs: %w", err)
	}
	r := &Region{path: path, data: data, free: c.freed}
	r.refs.Store(2)
	c.inUse.Add(int64(len(data)))
	c.byPath.Store(path, r)
	return r, nil
}

func (c *Cache) freed(r *Region) {
	c.inUse.Add(-int64(len(r.data)))
	c.frees.Add(1)
}

// Forget drops the cache's reference of path; readers keep theirs.
func (c *Cache) Forget(path string) error {
	v, ok := c.byPath.LoadAndDelete(path)
	if !ok {
		return fmt.Errorf("%w: %s", ErrFreed, path)
	}
	v.(*Region).Release()
	return nil
}

// Trim forgets regions until the cache is within its limit or empty.
func (c *Cache) Trim() (forgotten int) {
	c.byPath.Range(func(k, _ any) bool {
		if c.inUse.Load() <= c.max {
			return false
		}
		if err := c.Forget(k.(string)); err == nil {
			forgotten++
		}
		return true
	})
	if forgotten > 0 {
		log.Printf("mmaprefs: trimmed %d regions, %d bytes in use", forgotten, c.inUse.Load())
	}
	return forgotten
}
