package broken

import (
	"sync"
	"sync/atomic"
)

type topic struct {
	name  string
	users atomic.Int32
	held  atomic.Int32
}

func (t *topic) end() {}

// Topics keeps a topic as long as it has users.
type Topics struct {
	mu     sync.Mutex
	byName map[string]*topic
}

func (s *Topics) Join(name string) *topic {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.byName[name]
	if !ok {
		t = &topic{name: name}
		s.byName[name] = t
	}
	t.users.Add(1)
	t.held.Add(1)
	return t
}

func (s *Topics) Leave(t *topic) {
	if t.users.Add(-1) > 0 { // want `t.users has fallen to zero, but another goroutine can find the object in s.byName and count itself in, in \(\*Topics\).Join, before s.mu is taken here`
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byName, t.name)
	t.end()
}

// Release looks at the count once more under the lock.
func (s *Topics) Release(t *topic) {
	if t.held.Add(-1) > 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.held.Load() == 0 {
		delete(s.byName, t.name)
	}
}
