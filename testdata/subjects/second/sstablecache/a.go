package sstablecache

import (
	"os"
	"sync"
	"sync/atomic"
)

type Table struct {
	f    *os.File
	refs atomic.Int32
}

func (t *Table) incRef() { t.refs.Add(1) }

func (t *Table) DecRef() error {
	if t.refs.Add(-1) == 0 {
		return t.f.Close()
	}
	return nil
}

func (t *Table) ReadAt(p []byte, off int64) (int, error) { return t.f.ReadAt(p, off) }

type TableCache struct {
	mu     sync.Mutex
	tables map[uint64]*Table
}

func NewTableCache() *TableCache {
	return &TableCache{tables: make(map[uint64]*Table)}
}

func (c *TableCache) Add(num uint64, f *os.File) {
	t := &Table{f: f}
	t.refs.Store(1)
	c.mu.Lock()
	old := c.tables[num]
	c.tables[num] = t
	c.mu.Unlock()
	if old != nil {
		old.DecRef()
	}
}

func (c *TableCache) Open(num uint64) (*Table, error) {
	c.mu.Lock()
	t, ok := c.tables[num]
	c.mu.Unlock()
	if !ok {
		return nil, os.ErrNotExist
	}
	t.incRef()
	return t, nil
}

func (c *TableCache) Evict(num uint64) error {
	c.mu.Lock()
	t, ok := c.tables[num]
	delete(c.tables, num)
	c.mu.Unlock()
	if ok {
		return t.DecRef()
	}
	return nil
}
