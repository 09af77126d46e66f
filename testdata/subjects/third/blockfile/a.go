package blockfile

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

type Segment struct {
	name string
	f    *os.File
	refs atomic.Int32
	tab  *Table
}

type Table struct {
	dir  string
	mu   sync.Mutex
	open map[string]*Segment
}

func NewTable(dir string) *Table {
	return &Table{dir: dir, open: make(map[string]*Segment)}
}

func (t *Table) acquire(name string) (*Segment, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s, ok := t.open[name]; ok {
		s.refs.Add(1)
		return s, nil
	}
	f, err := os.Open(filepath.Join(t.dir, name))
	if err != nil {
		return nil, fmt.Errorf("segment %s: %w", name, err)
	}
	s := &Segment{name: name, f: f, tab: t}
	s.refs.Store(1)
	t.open[name] = s
	return s, nil
}

func (s *Segment) release() error {
	if s.refs.Add(-1) > 0 {
		return nil
	}
	s.tab.mu.Lock()
	delete(s.tab.open, s.name)
	s.tab.mu.Unlock()
	return s.f.Close()
}

func (t *Table) ReadAt(name string, p []byte, off int64) (n int, err error) {
	s, err := t.acquire(name)
	if err != nil {
		return 0, err
	}
	defer func() {
		if cerr := s.release(); err == nil {
			err = cerr
		}
	}()
	return s.f.ReadAt(p, off)
}
