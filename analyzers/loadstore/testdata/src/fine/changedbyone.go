package fine

import "sync/atomic"

type limits struct{ low, high int }

// SharedLimits are changed by the one goroutine whose CompareAndSwap has succeeded: it loads
// them afterwards, and nobody else stores any until it is done.
type SharedLimits struct {
	now      atomic.Pointer[limits]
	changing atomic.Uint32
}

// High is the limit in force.
func (s *SharedLimits) High() int { return s.now.Load().high }

// Raise changes a copy, or leaves that to who does so already.
func (s *SharedLimits) Raise(high int) {
	turn := s.changing.Load()
	if turn&1 == 1 || !s.changing.CompareAndSwap(turn, turn+1) {
		return
	}
	old := s.now.Load()
	s.now.Store(&limits{low: old.low, high: high})
	for {
		if last := s.changing.Load(); s.changing.CompareAndSwap(last, turn+2) {
			return
		}
	}
}
