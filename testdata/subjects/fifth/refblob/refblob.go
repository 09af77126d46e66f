// Package refblob shares open blob files between readers; the last one closes the file.
package refblob

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

var ErrRetired = errors.New("refblob: blob is retired")

type handle struct {
	name string
	file *os.File
	refs atomic.Int32 // the table's own reference included
}

// acquire takes a reference unless the last one has gone.
func (h *handle) acquire() bool {
	for {
		n := h.refs.Load()
		if n <= 0 {
			return false
		}
		if h.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (h *handle) release() {
	if h.refs.Add(-1) > 0 {
		return
	}
	if err := h.file.Close(); err != nil {
		slog.Error("close blob", "name", h.name, "err", err)
	}
}

// Blob is a reader's reference; Close gives it back.
type Blob struct {
	h    *handle
	once sync.Once
}

func (b *Blob) ReadAt(p []byte, off int64) (int, error) { return b.h.file.ReadAt(p, off) }

func (b *Blob) Size() (int64, error) {
	st, err := b.h.file.Stat()
	if err != nil {
		return 0, fmt.Errorf("blob %s: %w", b.h.name, err)
	}
	return st.Size(), nil
}

func (b *Blob) Close() error {
	b.once.Do(b.h.release)
	return nil
}

type Table struct {
	dir string

	mu   sync.Mutex
	open map[string]*handle
}

func NewTable(dir string) *Table { return &Table{dir: dir, open: make(map[string]*handle)} }

func (t *Table) find(name string) (*handle, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h, ok := t.open[name]; ok {
		return h, nil
	}
	f, err := os.Open(filepath.Join(t.dir, filepath.Base(name)))
	if err != nil {
		return nil, err
	}
	h := &handle{name: name, file: f}
	h.refs.Store(1)
	t.open[name] = h
	return h, nil
}

// Open returns a reference to the blob of that name.
func (t *Table) Open(name string) (*Blob, error) {
	h, err := t.find(name)
	if err != nil {
		return nil, err
	}
	if !h.acquire() {
		return nil, fmt.Errorf("%w: %s", ErrRetired, name)
	}
	return &Blob{h: h}, nil
}

// Retire lets the file go once nobody reads it any more.
func (t *Table) Retire(name string) bool {
	t.mu.Lock()
	h, ok := t.open[name]
	delete(t.open, name)
	t.mu.Unlock()
	if ok {
		h.release()
	}
	return ok
}
