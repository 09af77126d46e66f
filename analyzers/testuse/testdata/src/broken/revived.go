package broken

import (
	"os"
	"sync/atomic"
)

// Segment is a file that is closed when nobody uses it any more.
type Segment struct {
	users atomic.Int32
	file  *os.File
}

func (s *Segment) Use() bool {
	if s.users.Load() <= 0 { // want `two goroutines can both pass the test of s.users and both add to it`
		return false
	}
	s.users.Add(1)
	return true
}

func (s *Segment) Leave() {
	if n := s.users.Add(-1); n == 0 {
		s.file.Close()
	}
}

// Must is for those who use the segment already: it is their mistake otherwise.
func (s *Segment) Must() {
	if s.users.Load() <= 0 {
		panic("segment is closed")
	}
	s.users.Add(1)
}

// UseIfStill counts in only where somebody still is.
func (s *Segment) UseIfStill() bool {
	for {
		n := s.users.Load()
		if n <= 0 {
			return false
		}
		if s.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Load counts those at work, and nothing is given up when the last one goes.
type Load struct{ busy atomic.Int32 }

func (l *Load) Join() bool {
	if l.busy.Load() <= 0 {
		return false
	}
	l.busy.Add(1)
	return true
}

func (l *Load) Leave() { l.busy.Add(-1) }
