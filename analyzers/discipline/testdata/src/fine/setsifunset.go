package fine

import "sync"

// Mailroom2 makes its condition when somebody takes the lock first.
type Mailroom2 struct {
	mu     sync.Mutex
	news   *sync.Cond
	closed bool
	letter string
}

func (m *Mailroom2) lock() {
	m.mu.Lock()
	if m.news == nil {
		m.news = sync.NewCond(&m.mu)
	}
}

func (m *Mailroom2) Close() {
	m.lock()
	if m.closed {
		m.mu.Unlock()
		return
	}
	m.closed = true
	m.mu.Unlock()
	m.news.Broadcast()
}

func (m *Mailroom2) Put(letter string) {
	m.lock()
	defer m.mu.Unlock()
	m.letter = letter
	m.news.Broadcast()
}

func (m *Mailroom2) Take() (string, bool) {
	m.lock()
	defer m.mu.Unlock()
	for m.letter == "" && !m.closed {
		m.news.Wait()
	}
	letter := m.letter
	m.letter = ""
	return letter, letter != ""
}
