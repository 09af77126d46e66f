package rebalancehint

import (
	"sync"
	"sync/atomic"
)

type Mover interface {
	Move(from, to int, n int) error
}

type Shards struct {
	skew atomic.Int64

	mu     sync.Mutex
	counts []int
	mover  Mover
	limit  int64
}

func New(n int, limit int64, m Mover) *Shards {
	return &Shards{counts: make([]int, n), mover: m, limit: limit}
}

func (s *Shards) spread() (lo, hi int) {
	for i, c := range s.counts {
		if c < s.counts[lo] {
			lo = i
		}
		if c > s.counts[hi] {
			hi = i
		}
	}
	return lo, hi
}

func (s *Shards) Put(shard int) {
	s.mu.Lock()
	s.counts[shard]++
	lo, hi := s.spread()
	s.skew.Store(int64(s.counts[hi] - s.counts[lo]))
	s.mu.Unlock()
}

func (s *Shards) MaybeRebalance() error {
	if s.skew.Load() < s.limit {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	lo, hi := s.spread()
	diff := s.counts[hi] - s.counts[lo]
	if int64(diff) < s.limit {
		return nil
	}
	if err := s.mover.Move(hi, lo, diff/2); err != nil {
		return err
	}
	s.counts[hi] -= diff / 2
	s.counts[lo] += diff / 2
	lo, hi = s.spread()
	s.skew.Store(int64(s.counts[hi] - s.counts[lo]))
	return nil
}
