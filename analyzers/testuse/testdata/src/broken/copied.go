package broken

import "sync"

// Sheet gives what it has to another one, which others have.
type Sheet struct {
	mu    sync.Mutex
	title string
	marks map[string]int
}

func (s *Sheet) MergeInto(other *Sheet) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, v := range s.marks {
		other.marks[k] = v
	}
}

func (s *Sheet) Marks() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.marks // want `s.marks is returned itself, and no copy`
}
