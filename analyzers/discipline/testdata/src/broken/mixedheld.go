package broken

import (
	"sync"
	"sync/atomic"
)

// Sieve counts by sync/atomic what is looked at plainly under a lock that does not keep
// who counts out.
type Sieve struct {
	mu    sync.Mutex
	limit uint64
	added uint64
	kept  uint64
	bits  []uint64
}

func (s *Sieve) Add(i int) {
	s.mu.Lock()
	s.bits[i] |= 1
	atomic.AddUint64(&s.kept, 1)
	s.mu.Unlock()
	atomic.AddUint64(&s.added, 1)
}

func (s *Sieve) Turn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.added < s.limit { // want `s.added is accessed without sync/atomic here and with it elsewhere`
		return false
	}
	s.bits = make([]uint64, len(s.bits))
	s.added = 0
	return true
}

// Kept reads what is counted with the lock held alone.
func (s *Sieve) Kept() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept
}

func (s *Sieve) KeptNow() uint64 { return atomic.LoadUint64(&s.kept) }
