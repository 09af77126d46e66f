package journalring

import (
	"io"
	"sync"
)

type Ring struct {
	mu      sync.Mutex
	pending [][]byte
	limit   int
	w       io.Writer
	wmu     sync.Mutex
}

func New(w io.Writer, limit int) *Ring { return &Ring{w: w, limit: max(limit, 1)} }

func (r *Ring) drainLocked() error {
	batch := r.pending
	r.pending = nil
	r.wmu.Lock()
	r.mu.Unlock()
	defer r.mu.Lock()
	defer r.wmu.Unlock()
	for _, b := range batch {
		if _, err := r.w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func (r *Ring) Append(rec []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.pending) >= r.limit {
		if err := r.drainLocked(); err != nil {
			return err
		}
	}
	r.pending = append(r.pending, rec)
	return nil
}

func (r *Ring) Flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.drainLocked()
}
