package fine

import (
	"sync"
	"sync/atomic"
)

// Sifter counts what its workers sift, and tells when they are through.
type Sifter struct {
	grains int64
	ways   []chan int
}

func (s *Sifter) sift(way chan int, wg *sync.WaitGroup) {
	defer wg.Done()
	for range way {
		atomic.AddInt64(&s.grains, 1)
	}
}

func (s *Sifter) Sift() int64 {
	s.grains = 0
	var wg sync.WaitGroup
	for _, way := range s.ways {
		wg.Add(1)
		go s.sift(way, &wg)
	}
	wg.Wait()
	return 1 + s.grains
}
