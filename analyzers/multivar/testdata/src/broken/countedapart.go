package broken

import "sync"

type Segments struct {
	mu    sync.Mutex
	all   map[string][]byte
	bytes uint64
	limit uint64
}

func (s *Segments) Add(name string, seg []byte) {
	s.mu.Lock()
	s.all[name] = seg // want `the entry is put into s.all in an earlier critical section than the one that counts it in s.bytes: \(\*Segments\).Remove, which deletes and counts down in one, can come in between`
	s.mu.Unlock()
	s.grow(uint64(len(seg)))
}

func (s *Segments) grow(n uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += n
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
