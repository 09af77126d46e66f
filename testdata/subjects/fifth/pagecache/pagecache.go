// Package pagecache keeps pages of a file in memory and writes dirty ones back.
package pagecache

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

const PageSize = 4096

var ErrShort = errors.New("pagecache: short page")

type PageID uint32

// Device is the file under the cache.
type Device interface {
	io.ReaderAt
	io.WriterAt
}

// Frame is a page in memory. Its content is guarded by its own latch.
type Frame struct {
	ID    PageID
	latch sync.Mutex
	dirty bool
	data  [PageSize]byte
}

// Update changes the page in place.
func (f *Frame) Update(fn func(page []byte) bool) {
	f.latch.Lock()
	defer f.latch.Unlock()
	if fn(f.data[:]) {
		f.dirty = true
	}
}

func (f *Frame) writeBack(dev Device) error {
	f.latch.Lock()
	defer f.latch.Unlock()
	if !f.dirty {
		return nil
	}
	if _, err := dev.WriteAt(f.data[:], int64(f.ID)*PageSize); err != nil {
		return fmt.Errorf("page %d: %w", f.ID, err)
	}
	f.dirty = false
	return nil
}

type Stats struct{ Hits, Misses uint64 }

type Cache struct {
	dev Device

	table  sync.RWMutex
	frames map[PageID]*Frame

	statsMu sync.Mutex
	stats   Stats
}

func New(dev Device) *Cache {
	return &Cache{dev: dev, frames: make(map[PageID]*Frame)}
}

func (c *Cache) note(hit bool) {
	c.statsMu.Lock()
	defer c.statsMu.Unlock()
	if hit {
		c.stats.Hits++
	} else {
		c.stats.Misses++
	}
}

func (c *Cache) Stats() Stats {
	c.statsMu.Lock()
	defer c.statsMu.Unlock()
	return c.stats
}

// Fetch returns the frame of a page, reading it if need be.
func (c *Cache) Fetch(id PageID) (*Frame, error) {
	c.table.RLock()
	f, ok := c.frames[id]
	c.table.RUnlock()
	c.note(ok)
	if ok {
		return f, nil
	}

	f = &Frame{ID: id}
	n, err := c.dev.ReadAt(f.data[:], int64(id)*PageSize)
	switch {
	case errors.Is(err, io.EOF) && n == 0:
		// a page past the end is a new one
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case n < PageSize:
		return nil, ErrShort
	}

	c.table.Lock()
	c.frames[id] = f
	c.table.Unlock()
	return f, nil
}

// Flush writes all dirty pages.
func (c *Cache) Flush() error {
	c.table.RLock()
	all := make([]*Frame, 0, len(c.frames))
	for _, f := range c.frames {
		all = append(all, f)
	}
	c.table.RUnlock()

	var errs []error
	for _, f := range all {
		errs = append(errs, f.writeBack(c.dev))
	}
	return errors.Join(errs...)
}
