package broken

import (
	"strconv"
	"sync"
)

// HatShelf counts the rounds after the hatbox is in.
type HatShelf struct {
	mu    sync.Mutex
	round int
	boxes map[string]*hatbox
}

type hatbox struct{ of string }

func fetchHatbox(of string) *hatbox { return &hatbox{of} }

func (s *HatShelf) Turn(of string, last bool) bool {
	s.mu.Lock()
	_, ok := s.boxes[of+strconv.Itoa(s.round)] // want `two goroutines can both pass the test of s.boxes\[of \+ strconv.Itoa\(s.round\)\] and both set it`
	s.mu.Unlock()
	if ok {
		return false
	}
	b := fetchHatbox(of)
	s.mu.Lock()
	defer s.mu.Unlock()
	if last {
		s.round--
	}
	s.boxes[of+strconv.Itoa(s.round)] = b
	s.round++
	return true
}

// Put asks for the key that it stores, named anew.
func (s *HatShelf) Put(round int, of string) bool {
	{
		at := strconv.Itoa(round + 1)
		s.mu.Lock()
		_, left := s.boxes["at "+at+of] // want `two goroutines can both pass the test of s.boxes\["at " \+ at \+ of\] and both set it`
		s.mu.Unlock()
		if left {
			return false
		}
	}
	b := fetchHatbox(of)
	at := strconv.Itoa(round + 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.boxes["at "+at+of] = b
	return true
}
