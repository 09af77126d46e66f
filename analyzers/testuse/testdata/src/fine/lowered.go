package fine

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errNotLoaded = errors.New("not loaded")

// Sheet looks again, or asks what is there, before it uses what Unload takes away.
type Sheet struct {
	mu     sync.RWMutex
	loaded atomic.Bool
	cells  []byte
	draw   func(byte)
}

func (s *Sheet) Fill(b []byte, draw func(byte)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells, s.draw = b, draw
	s.loaded.Store(true)
}

// At looks at the flag again.
func (s *Sheet) At(i int) (byte, error) {
	if !s.loaded.Load() {
		return 0, errNotLoaded
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if !s.loaded.Load() {
		return 0, errNotLoaded
	}
	return s.cells[i], nil
}

// Last asks how many there are.
func (s *Sheet) Last() (byte, error) {
	if !s.loaded.Load() {
		return 0, errNotLoaded
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n := len(s.cells); n > 0 {
		return s.cells[n-1], nil
	}
	return 0, errNotLoaded
}

// Each walks through those that are there, and draws where it can.
func (s *Sheet) Each() {
	if !s.loaded.Load() {
		return
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, c := range s.cells {
		if s.draw != nil {
			s.draw(c)
		}
	}
}

// Restore uses them where it has found that nothing is loaded.
func (s *Sheet) Restore(b []byte) byte {
	if s.loaded.Load() {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells = b
	return s.cells[0]
}

func (s *Sheet) Unload() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loaded.Store(false)
	s.cells, s.draw = nil, nil
}
