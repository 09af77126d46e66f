package broken

import "sync"

type Mailbox struct {
	mu     sync.Mutex
	full   bool
	closed bool
	owner  string
}

func (m *Mailbox) Put() (bool, bool) {
	m.mu.Lock()
	if m.full {
		m.mu.Unlock()
		return false, m.closed // want `m.closed is accessed here without the lock that all other functions hold for it: m.mu`
	}
	if m.closed {
		m.mu.Unlock()
		return false, true
	}
	m.full = true
	m.mu.Unlock()
	println(m.owner)
	return true, false
}

func (m *Mailbox) Close() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
}

func (m *Mailbox) Take() {
	m.mu.Lock()
	m.full = false
	m.mu.Unlock()
}

type Torrents struct {
	mu     sync.Mutex
	byHash map[string][]int
}

func (t *Torrents) Add(hash string, id int) {
	t.mu.Lock()
	t.byHash[hash] = append(t.byHash[hash], id)
	t.mu.Unlock()
}

func (t *Torrents) Remove(hash string) bool {
	t.mu.Lock()
	t.byHash[hash] = t.byHash[hash][1:]
	t.mu.Unlock()
	return len(t.byHash[hash]) == 0 // want `t.byHash\[hash\] is accessed here without the lock that all other functions hold for it: t.mu`
}
