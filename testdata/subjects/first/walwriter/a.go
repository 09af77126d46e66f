package walwriter

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

type WAL struct {
	dir     string
	maxSize int64
	size    atomic.Int64

	mu  sync.Mutex
	seg int
	f   *os.File
}

func Open(dir string, maxSize int64) (*WAL, error) {
	w := &WAL{dir: dir, maxSize: maxSize}
	if err := w.roll(); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *WAL) roll() error {
	f, err := os.Create(filepath.Join(w.dir, fmt.Sprintf("%08d.wal", w.seg+1)))
	if err != nil {
		return err
	}
	if w.f != nil {
		w.f.Close()
	}
	w.f = f
	w.seg++
	w.size.Store(0)
	return nil
}

func (w *WAL) Append(rec []byte) error {
	if w.size.Load()+int64(len(rec)) > w.maxSize {
		w.mu.Lock()
		err := w.roll()
		w.mu.Unlock()
		if err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.f.Write(rec)
	w.size.Add(int64(n))
	return err
}

func (w *WAL) Segment() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seg
}
