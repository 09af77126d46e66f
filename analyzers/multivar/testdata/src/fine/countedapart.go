package fine

import "sync"

type Segments struct {
	mu    sync.Mutex
	all   map[string][]byte
	bytes uint64
	limit uint64
	shown uint64
}

// Add counts in one.
func (s *Segments) Add(name string, seg []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[name] = seg
	s.bytes += uint64(len(seg))
}

func (s *Segments) Remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seg, ok := s.all[name]; ok {
		delete(s.all, name)
		s.bytes -= uint64(len(seg))
	}
}

func (s *Segments) Full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes >= s.limit
}

// Show counts how often it was shown.
func (s *Segments) Show(name string, seg []byte) {
	s.mu.Lock()
	s.all[name] = seg
	s.bytes += uint64(len(seg))
	s.mu.Unlock()
	s.mu.Lock()
	s.shown++
	s.mu.Unlock()
}
