package segflush

import (
	"errors"
	"sync"
	"sync/atomic"
)

type Memtable struct {
	limit int64
	size  atomic.Int64
	mu    sync.Mutex
	rows  map[string][]byte
	flush func(map[string][]byte) error
	err   error
}

func NewMemtable(limit int64, flush func(map[string][]byte) error) *Memtable {
	return &Memtable{limit: limit, rows: make(map[string][]byte), flush: flush}
}

func (m *Memtable) Set(key string, val []byte) error {
	if len(key) == 0 {
		return errors.New("segflush: empty key")
	}
	m.mu.Lock()
	m.rows[key] = val
	m.size.Add(int64(len(key) + len(val)))
	m.mu.Unlock()
	return m.maybeRotate()
}

func (m *Memtable) maybeRotate() error {
	if m.size.Load() < m.limit {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.size.Load() < m.limit {
		return m.err
	}
	rows := m.rows
	m.rows = make(map[string][]byte)
	m.size.Store(0)
	m.err = m.flush(rows)
	return m.err
}

func (m *Memtable) Get(key string) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.rows[key]
	return v, ok
}
