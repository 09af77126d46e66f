package fine

import (
	"math/rand"
	"sync"
	"time"
)

// Stamps hands out a stamp that is drawn anew each hour, by the second call of one literal
// under the lock.
type Stamps struct {
	mu    sync.RWMutex
	drawn map[int]*stamp
	all   []*stamp
	last  int
	at    time.Time
}

type stamp struct{ ink []byte }

func (s *Stamps) Latest() *stamp {
	current := func() (*stamp, bool) {
		if time.Since(s.at) < time.Hour {
			return s.drawn[s.last], true
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
	found, ok = current()
	if ok {
		return found
	}
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
