// Package fblease gives a buffer to one at a time, by moving it from one map to another.
package fblease

import (
	"errors"
	"sync"
)

type buffer struct {
	id   int
	data []byte
}

// Arena has free buffers, and such as are out.
type Arena struct {
	mu   sync.Mutex
	free map[int]*buffer
	out  map[int]*buffer
}

// New makes n buffers.
func New(n int) *Arena {
	a := &Arena{free: map[int]*buffer{}, out: map[int]*buffer{}}
	for i := range n {
		a.free[i] = &buffer{id: i, data: make([]byte, 0, 4096)}
	}
	return a
}

// lease is called with the lock held.
func (a *Arena) lease(id int) (*buffer, error) {
	b, ok := a.free[id]
	if !ok {
		return nil, errors.New("fblease: not free")
	}
	a.out[id] = b
	delete(a.free, id)
	return b, nil
}

// Fill gives the buffer to fn, alone.
func (a *Arena) Fill(id int, fn func([]byte) []byte) error {
	a.mu.Lock()
	b, err := a.lease(id)
	a.mu.Unlock()
	if err != nil {
		return err
	}
	n := len(fn(b.data))
	a.mu.Lock()
	b.data = b.data[:min(n, cap(b.data))]
	a.free[id] = b
	delete(a.out, id)
	a.mu.Unlock()
	return nil
}

// Clear empties those that are free.
func (a *Arena) Clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, b := range a.free {
		b.data = b.data[:0]
	}
}
