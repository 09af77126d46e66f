package broken

import (
	"sync"
	"sync/atomic"
)

type settings struct{ level, limit int }

// Settings are read without a lock and replaced as a whole.
type Settings struct {
	writing sync.Mutex
	now     atomic.Pointer[settings]
}

// Level is the level in force.
func (s *Settings) Level() int { return s.now.Load().level }

// SetLevel changes a copy.
func (s *Settings) SetLevel(level int) {
	next := *s.now.Load() // want `two goroutines can both read s.now before either stores it, and one update is lost: two atomic operations are not one`
	next.level = level
	s.now.Store(&next)
}

// SetLimit makes another one of what it keeps and what is new.
func (s *Settings) SetLimit(limit int) {
	old := s.now.Load() // want `two goroutines can both read s.now before either stores it, and one update is lost: two atomic operations are not one`
	s.now.Store(&settings{level: old.level, limit: limit})
}

// SetBoth keeps nothing of what there was.
func (s *Settings) SetBoth(level, limit int) {
	if old := s.now.Load(); old.level == level && old.limit == limit {
		return
	}
	s.now.Store(&settings{level: level, limit: limit})
}

// Lower is alone with other writers of its kind.
func (s *Settings) Lower() {
	s.writing.Lock()
	defer s.writing.Unlock()
	next := *s.now.Load()
	next.level--
	s.now.Store(&next)
}

// Raise tries again.
func (s *Settings) Raise() {
	for {
		old := s.now.Load()
		next := *old
		next.level++
		if s.now.CompareAndSwap(old, &next) {
			return
		}
	}
}
