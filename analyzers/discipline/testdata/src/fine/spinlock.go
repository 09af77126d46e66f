package fine

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// cell has a lock of its own: CompareAndSwap takes it, Store releases it.
type cell struct {
	held  uint32
	level int
}

func (c *cell) raise(by int) int {
	for !atomic.CompareAndSwapUint32(&c.held, 0, 1) {
		runtime.Gosched()
	}
	c.level += by
	n := c.level
	atomic.StoreUint32(&c.held, 0)
	return n
}

type Cells struct {
	mu   sync.RWMutex
	cell map[string]*cell
}

func (s *Cells) Raise(k string) int {
	s.mu.RLock()
	if c, ok := s.cell[k]; ok {
		defer s.mu.RUnlock()
		return c.raise(1)
	}
	s.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cell[k] == nil {
		s.cell[k] = &cell{}
	}
	return s.cell[k].raise(1)
}
