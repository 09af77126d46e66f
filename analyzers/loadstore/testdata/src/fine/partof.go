package fine

import "sync"

// The entry is replaced only if it is still the one that was looked at.

type Minutes struct {
	mu    sync.Mutex
	notes map[string]minute
}

type minute struct {
	body []byte
	rev  uint64
}

func NewMinutes() *Minutes { return &Minutes{notes: map[string]minute{}} }

func (m *Minutes) note(key string) ([]byte, uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.notes[key]
	return n.body, n.rev
}

func (m *Minutes) putIf(key string, body []byte, rev uint64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.notes[key]
	if n.rev != rev {
		return false
	}
	m.notes[key] = minute{body, rev + 1}
	return true
}

func (m *Minutes) Revise(key string, f func([]byte) []byte) bool {
	for range 5 {
		old, rev := m.note(key)
		if m.putIf(key, f(old), rev) {
			return true
		}
	}
	return false
}

func (m *Minutes) ReviseLocked(key string, f func([]byte) []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.notes[key]
	m.notes[key] = minute{f(n.body), n.rev + 1}
}
