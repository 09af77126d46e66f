package broken

import (
	"errors"
	"sync"
	"time"
)

var errCabinTaken = errors.New("taken")

// Cabins can be used by several goroutines at the same time.
type Cabins struct {
	mu    sync.Mutex
	taken map[string]*cabin
}

type cabin struct {
	guest string
	until time.Time
}

func (s *Cabins) Guest(row string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.taken[row]
	if !ok {
		return "", false
	}
	if at.until.Before(time.Now()) {
		delete(s.taken, row)
		return "", false
	}
	return at.guest, true
}

func (s *Cabins) Place(row, guest string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken[row] = &cabin{guest: guest, until: time.Now().Add(time.Hour)}
}

// Reserve gives the cabin to one guest.
func (s *Cabins) Reserve(row, guest string) error {
	if _, found := s.Guest(row); found { // want `two goroutines can both pass the test of s.taken \(in s.Guest\) and both set it: s.mu is released in between`
		return errCabinTaken
	}
	s.Place(row, guest)
	return nil
}

// Change gives a cabin that is taken to somebody else.
func (s *Cabins) Change(row, guest string) error {
	_, found := s.Guest(row) // want `two goroutines can both pass the test of s.taken \(in s.Guest\) and both set it: s.mu is released in between`
	if !found {
		return errors.New("free")
	}
	s.Place(row, guest)
	return nil
}
