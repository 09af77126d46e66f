// Package drain takes what has come together, and loses what comes meanwhile.
package drain

import (
	"sync"
	"sync/atomic"
)

type Stats struct {
	mu      sync.Mutex
	pending []int
	n       atomic.Int64
	max     atomic.Int64
	table   atomic.Value
}

func (s *Stats) Add(i int) {
	s.mu.Lock()
	s.pending = append(s.pending, i)
	s.mu.Unlock()
	s.n.Add(1)
}

func (s *Stats) Flush() int {
	s.mu.Lock()
	batch := s.pending // want `one update is lost: s.mu is released in between`
	s.mu.Unlock()
	sum := 0
	for _, i := range batch {
		sum += i
	}
	s.mu.Lock()
	s.pending = nil
	s.mu.Unlock()
	return sum
}

// Take takes all of it in one step.
func (s *Stats) Take() []int {
	s.mu.Lock()
	batch := s.pending
	s.pending = nil
	s.mu.Unlock()
	return batch
}

func (s *Stats) Count() int64 {
	n := s.n.Load() // want `one update is lost: two atomic operations are not one`
	s.n.Store(0)
	return n
}

func (s *Stats) CountOnce() int64 { return s.n.Swap(0) }

// Put changes a copy and stores it over whatever is there by then.
func (s *Stats) Put(k, v string) {
	old := s.table.Load().(map[string]string) // want `one update is lost: two atomic operations are not one`
	fresh := map[string]string{}
	for a, b := range old {
		fresh[a] = b
	}
	fresh[k] = v
	s.table.Store(fresh)
}

// PutLocked does so under a lock that all writers take.
func (s *Stats) PutLocked(k, v string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.table.Load().(map[string]string)
	fresh := map[string]string{}
	for a, b := range old {
		fresh[a] = b
	}
	fresh[k] = v
	s.table.Store(fresh)
}

type counter struct{ n int }

func (c *counter) add() { c.n++ } // want `one update is lost: no lock is held`

// Run hands a bound method to the goroutines.
func Run() int {
	var c counter
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(c.add)
	}
	wg.Wait()
	return c.n
}

type safe struct{ n atomic.Int64 }

func (c *safe) add() { c.n.Add(1) }

func RunSafely() int64 {
	var c safe
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(c.add)
	}
	wg.Wait()
	return c.n.Load()
}
