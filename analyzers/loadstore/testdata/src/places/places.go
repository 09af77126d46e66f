// Package places has variables that several functions update without a lock: each is one
// report, at the first place that nobody ignores.
package places

import "sync"

// Stats can be used by several goroutines.
type Stats struct {
	mu     sync.Mutex
	hits   int
	misses int
}

func (s *Stats) Hits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits + s.misses
}

func (s *Stats) First() {
	s.hits++ //atomrace:ignore load-and-store an estimate will do
}

func (s *Stats) Second() {
	s.hits++ // want `two goroutines can both read s.hits before either stores it, and one update is lost: no lock is held \(likewise in 2 other places\)`
}

func (s *Stats) Third() {
	s.hits += 2
}

func (s *Stats) Fourth(n int) {
	s.hits += n
}

func (s *Stats) Miss() {
	s.misses++ // want `two goroutines can both read s.misses before either stores it, and one update is lost: no lock is held \(likewise in another place\)`
}

func (s *Stats) MissAll(n int) {
	s.misses += n
}

func Run(s *Stats) {
	for range 2 {
		go s.First()
		go s.Second()
		go s.Third()
		go s.Fourth(2)
		go s.Miss()
		go s.MissAll(2)
	}
}
