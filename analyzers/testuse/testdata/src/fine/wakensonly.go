package fine

import "sync"

// Snoozer wakes its watchman, who looks for himself.
type Snoozer struct {
	mu     sync.Mutex
	guests map[string]int
	bell   chan struct{}
}

func (s *Snoozer) Enter(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guests[name]++
}

func (s *Snoozer) Leave(name string) {
	s.mu.Lock()
	delete(s.guests, name)
	last := len(s.guests) == 0
	s.mu.Unlock()
	if last {
		s.signal()
	}
}

func (s *Snoozer) signal() {
	select {
	case s.bell <- struct{}{}:
	default:
	}
}

func (s *Snoozer) Watch(sleep func()) {
	for range s.bell {
		s.mu.Lock()
		if len(s.guests) == 0 {
			sleep()
		}
		s.mu.Unlock()
	}
}
