package broken

import (
	"io"
	"sync"
	"time"
)

// The last one who came under a name is the one who is there, until the one before leaves.

type Anteroom struct {
	mu     sync.Mutex
	guests map[string]io.Closer
}

func (l *Anteroom) Stay(name string, c io.Closer, talk func() error) error {
	l.mu.Lock()
	before := l.guests[name]
	l.guests[name] = c // want `the next call puts its own in the place of this one, as this one does with what was in l.guests\[name\], and loses it where this one deletes the key under l.mu without a look`
	l.mu.Unlock()
	if before != nil {
		before.Close()
	}
	defer func() {
		l.mu.Lock()
		delete(l.guests, name)
		l.mu.Unlock()
		c.Close()
	}()
	return talk()
}

func (l *Anteroom) Has(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.guests[name] != nil
}

// A timer that has run already waits for the lock, and then takes what is new.

type seat struct {
	who   string
	timer *time.Timer
}

type Seats struct {
	sync.Mutex
	taken map[int]*seat
}

func (s *Seats) Reserve(n int, who string) bool {
	s.Lock()
	defer s.Unlock()
	if was, ok := s.taken[n]; ok {
		if was.who != who {
			return false
		}
		was.timer.Stop()
	}
	mine := &seat{who: who}
	mine.timer = time.AfterFunc(time.Minute, func() {
		s.Lock()
		defer s.Unlock()
		delete(s.taken, n)
	})
	s.taken[n] = mine // want `the next call puts its own in the place of this one, as this one does with what was in s.taken\[n\]`
	return true
}

func (s *Seats) Free(n int) bool {
	s.Lock()
	defer s.Unlock()
	return s.taken[n] == nil
}
