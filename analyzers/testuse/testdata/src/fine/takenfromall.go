package fine

import (
	"sync"
	"sync/atomic"
)

type bicycle struct {
	gears int
	taken atomic.Bool
}

// Stand lends bicycles, whichever comes first.
type Stand struct {
	mu    sync.Mutex
	bikes sync.Map
}

func (s *Stand) Return(no int, b *bicycle) { s.bikes.Store(no, b) }

// Lend has the one that it has deleted itself.
func (s *Stand) Lend() *bicycle {
	var b *bicycle
	s.bikes.Range(func(no, _ any) bool {
		v, ok := s.bikes.LoadAndDelete(no)
		if ok {
			b = v.(*bicycle)
		}
		return !ok
	})
	return b
}

// Pick claims it first.
func (s *Stand) Pick() *bicycle {
	var b *bicycle
	s.bikes.Range(func(no, v any) bool {
		if !v.(*bicycle).taken.CompareAndSwap(false, true) {
			return true
		}
		b = v.(*bicycle)
		s.bikes.Delete(no)
		return false
	})
	return b
}

// Take is one at a time.
func (s *Stand) Take() *bicycle {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b *bicycle
	s.bikes.Range(func(no, v any) bool {
		b = v.(*bicycle)
		s.bikes.Delete(no)
		return false
	})
	return b
}

// Find hands out what stays there.
func (s *Stand) Find(gears int) *bicycle {
	var b *bicycle
	s.bikes.Range(func(no, v any) bool {
		if v.(*bicycle).gears == 0 {
			s.bikes.Delete(no)
			return true
		}
		b = v.(*bicycle)
		return b.gears != gears
	})
	return b
}
