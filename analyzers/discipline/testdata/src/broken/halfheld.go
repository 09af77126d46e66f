package broken

import (
	"fmt"
	"sync"
)

// A Meterer lets so much pass.
type Meterer struct {
	mu     sync.Mutex
	burst  int
	tokens int
}

func (m *Meterer) Burst() int {
	return m.burst // want `m.burst is accessed here without the lock that other functions hold for it: m.mu in \(\*Meterer\).SetBurst`
}

// Wait says without the lock what it has found with it: the others are the rule all the same.
func (m *Meterer) Wait(n int) error {
	m.mu.Lock()
	most := m.burst
	m.mu.Unlock()
	if n > most {
		return fmt.Errorf("%d is more than %d", n, m.burst)
	}
	return nil
}

func (m *Meterer) SetBurst(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.burst = n
}

func (m *Meterer) Take(n int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n > m.burst || n > m.tokens {
		return false
	}
	m.tokens -= n
	return true
}

func (m *Meterer) Fill(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tokens = min(m.tokens+n, m.burst)
}
