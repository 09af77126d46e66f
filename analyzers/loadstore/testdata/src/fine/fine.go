// Package fine updates variables in ways that lose nothing.
package fine

import (
	"sync"
	"sync/atomic"
)

type Stats struct {
	mu   sync.Mutex
	hits int
	max  atomic.Int64
}

func New() *Stats {
	s := &Stats{}
	s.hits++ // nobody else has it yet
	return s
}

func (s *Stats) Hit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hits++
}

func (s *Stats) HitTwice() {
	s.mu.Lock()
	s.hit()
	s.hitLocked()
	s.mu.Unlock()
}

// hit is only called under the lock.
func (s *Stats) hit() { s.hits++ }

func (s *Stats) hitLocked() { s.hits++ }

// Bump needs s.mu held by the caller.
func (s *Stats) Bump() { s.hits++ }

func (s *Stats) lock()   { s.mu.Lock() }
func (s *Stats) unlock() { s.mu.Unlock() }

func (s *Stats) Wrapped() {
	s.lock()
	defer s.unlock()
	s.hits++
}

func (s *Stats) Try() {
	if !s.mu.TryLock() {
		return
	}
	s.hits++
	s.mu.Unlock()
}

func (s *Stats) Deferred() {
	s.mu.Lock()
	defer func() {
		s.hits++
		s.mu.Unlock()
	}()
}

// Max loops until nobody came in between.
func (s *Stats) Max(n int64) {
	for {
		old := s.max.Load()
		if n <= old || s.max.CompareAndSwap(old, n) {
			return
		}
	}
}

// Embedded has the mutex embedded.
type Embedded struct {
	sync.Mutex
	n int
}

func (e *Embedded) Inc() {
	e.Lock()
	e.n++
	e.Mutex.Unlock()
}

// Plain is not made for concurrent use.
type Plain struct{ n int }

func (p *Plain) Inc() { p.n++ }

// Spin is a lock of our own.
type Spin struct{ state atomic.Int32 }

func (l *Spin) Lock() {
	for !l.state.CompareAndSwap(0, 1) {
	}
}

func (l *Spin) Unlock() { l.state.Store(0) }

type Spun struct {
	lock Spin
	n    int
}

func (s *Spun) Inc() {
	s.lock.Lock()
	s.n++
	s.lock.Unlock()
}

// Each worker updates the element that is its own.
func Each(parts [][]int) []int {
	sums := make([]int, len(parts))
	var running sync.WaitGroup
	for i, part := range parts {
		running.Go(func() {
			for _, n := range part {
				sums[i] += n
			}
		})
	}
	running.Wait()
	return sums
}

// One goroutine alone counts.
type Watcher struct {
	mu    sync.Mutex
	ticks int
}

func (w *Watcher) Start() {
	go w.watch()
}

func (w *Watcher) watch() {
	for {
		w.ticks++
	}
}

// Sum has no lock of its own; the goroutines that share it bring one.
type Sum struct{ n int }

func (s *Sum) Add(n int) { s.n += n }

func Total(parts [][]int) int {
	var sum Sum
	var mu sync.Mutex
	var running sync.WaitGroup
	for _, part := range parts {
		running.Go(func() {
			for _, n := range part {
				mu.Lock()
				sum.Add(n)
				mu.Unlock()
			}
		})
	}
	running.Wait()
	return sum.n
}
