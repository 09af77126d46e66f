package fine

import "sync"

// A Steeple has a set of channels of those who listen, and sends with its lock held.
type Steeple[T any] struct {
	mu   sync.RWMutex
	ears map[chan T]struct{}
}

func (s *Steeple[T]) Hear() chan T {
	in := make(chan T, 4)
	s.mu.Lock()
	s.ears[in] = struct{}{}
	s.mu.Unlock()
	return in
}

func (s *Steeple[T]) Ring(news T) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]chan T, 0, len(s.ears))
	for in := range s.ears {
		list = append(list, in)
	}
	for _, in := range list {
		select {
		case in <- news:
		default:
		}
	}
}

func (s *Steeple[T]) Silence() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for in := range s.ears {
		delete(s.ears, in)
		close(in)
	}
}

// A Minaret never closes the channels of those who leave.
type Minaret struct {
	mu   sync.RWMutex
	ears map[chan string]struct{}
}

func (m *Minaret) Call(news string) {
	m.mu.RLock()
	list := make([]chan string, 0, len(m.ears))
	for in := range m.ears {
		list = append(list, in)
	}
	m.mu.RUnlock()
	for _, in := range list {
		select {
		case in <- news:
		default:
		}
	}
}

func (m *Minaret) Leave(in chan string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.ears, in)
}
