package fine

import (
	"strconv"
	"sync"
)

// HatShelf has a hatbox for each round.
type HatShelf struct {
	mu    sync.Mutex
	round int
	boxes map[string]*hatbox
}

type hatbox struct{ of string }

func fetchHatbox(of string) *hatbox { return &hatbox{of} }

func (s *HatShelf) Turn(of string) bool {
	s.mu.Lock()
	_, ok := s.boxes[of+strconv.Itoa(s.round)]
	s.mu.Unlock()
	if ok {
		return false
	}
	b := fetchHatbox(of)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.round++
	s.boxes[of+strconv.Itoa(s.round)] = b
	return true
}

// Rounds asks for the boxes of the round before, and puts in those of the next one.
func (s *HatShelf) Rounds(round int, names []string) bool {
	for _, of := range names {
		at := strconv.Itoa(round - 1)
		s.mu.Lock()
		_, left := s.boxes["at "+at+of]
		s.mu.Unlock()
		if left {
			return false
		}
	}
	for _, of := range names {
		at := strconv.Itoa(round + 1)
		s.mu.Lock()
		s.boxes["at "+at+of] = fetchHatbox(of)
		s.mu.Unlock()
	}
	return true
}

func (s *HatShelf) Remove(round int, of string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.boxes, "at "+strconv.Itoa(round)+of)
}
