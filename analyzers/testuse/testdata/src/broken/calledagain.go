package broken

import (
	"math/rand"
	"sync"
	"time"
)

// Stamps hands out a stamp that is drawn anew each hour, by two goroutines twice.
type Stamps struct {
	mu    sync.RWMutex
	drawn map[int]*stamp
	all   []*stamp
	last  int
	at    time.Time
}

type stamp struct{ ink []byte }

// Latest does not look again.
func (s *Stamps) Latest() *stamp {
	current := func() (*stamp, bool) {
		if time.Since(s.at) < time.Hour {
			return s.drawn[s.last], true // want `two goroutines can both pass the test of s.drawn\[s.last\] and both set it`
		}
		return nil, false
	}
	s.mu.RLock()
	found, ok := current()
	s.mu.RUnlock()
	if ok {
		return found
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ink := make([]byte, 8)
	if _, err := rand.Read(ink); err != nil {
		return nil
	}
	s.last++
	s.at = time.Now()
	made := &stamp{ink: ink}
	s.all = append(s.all, made)
	s.drawn[s.last] = made
	return made
}

// AgainTooEarly calls the literal twice before the lock, and relies on the second look.
func (s *Stamps) AgainTooEarly() *stamp {
	current := func() (*stamp, bool) {
		if time.Since(s.at) < time.Hour {
			return s.drawn[s.last], true // want `two goroutines can both pass the test of s.drawn\[s.last\] and both set it`
		}
		return nil, false
	}
	s.mu.RLock()
	found, ok := current()
	s.mu.RUnlock()
	if ok {
		return found
	}
	s.mu.RLock()
	found, ok = current()
	s.mu.RUnlock()
	if ok {
		return found
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ink := make([]byte, 8)
	if _, err := rand.Read(ink); err != nil {
		return nil
	}
	s.last++
	s.at = time.Now()
	made := &stamp{ink: ink}
	s.all = append(s.all, made)
	s.drawn[s.last] = made
	return made
}
