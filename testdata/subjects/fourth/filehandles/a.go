package filehandles

import (
	"os"
	"sync"
)

type entry struct {
	f    *os.File
	refs int
}

type Table struct {
	mu   sync.Mutex
	open map[string]*entry
}

func NewTable() *Table { return &Table{open: map[string]*entry{}} }

func (t *Table) Get(path string) (*os.File, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.open[path]; ok {
		e.refs++
		return e.f, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t.open[path] = &entry{f: f, refs: 1}
	return f, nil
}

func (t *Table) Put(path string) error {
	t.mu.Lock()
	e, ok := t.open[path]
	if !ok {
		t.mu.Unlock()
		return os.ErrInvalid
	}
	e.refs--
	last := e.refs == 0
	if last {
		delete(t.open, path)
	}
	t.mu.Unlock()
	if last {
		return e.f.Close()
	}
	return nil
}

func (t *Table) ReadAt(path string, p []byte, off int64) (int, error) {
	f, err := t.Get(path)
	if err != nil {
		return 0, err
	}
	defer t.Put(path)
	return f.ReadAt(p, off)
}
