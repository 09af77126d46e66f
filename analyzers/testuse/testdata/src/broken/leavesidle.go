package broken

import (
	"sync"
	"sync/atomic"
)

// A Mill grinds what is in the hopper, in a goroutine that ends when there is nothing.
type Mill struct {
	mu      sync.Mutex
	hopper  []string
	turning atomic.Bool
	grind   func(string)
}

func (m *Mill) Fill(grain string) {
	m.mu.Lock()
	m.hopper = append(m.hopper, grain)
	m.mu.Unlock()
	if m.turning.CompareAndSwap(false, true) {
		go m.turn()
	}
}

func (m *Mill) turn() {
	for {
		m.mu.Lock()
		if len(m.hopper) == 0 { // want `what is added to m.hopper after it was found empty here and before m.turning is taken back starts no goroutine: \(\*Mill\).Fill finds the flag still set`
			m.mu.Unlock()
			break
		}
		grain := m.hopper[0]
		m.hopper = m.hopper[1:]
		m.mu.Unlock()
		m.grind(grain)
	}
	m.turning.Store(false)
}
