package broken

import "sync"

type slipPlace struct {
	name string
	ship *cutterBoat
}

type cutterBoat struct{ n int }

func (s *cutterBoat) sail() { go println(s.n) }

// A Slipyard keeps ships in places, which are values of its map.
type Slipyard struct {
	mu     sync.RWMutex
	berths map[string]slipPlace
}

func (m *Slipyard) Take(name string) *cutterBoat {
	var s *cutterBoat
	m.mu.RLock()
	if b, ok := m.berths[name]; ok { // want `two goroutines can both pass the test of m.berths\[name\] and both set it`
		s = b.ship
	}
	m.mu.RUnlock()
	if s == nil {
		s = &cutterBoat{len(name)}
		s.sail()
		m.mu.Lock()
		m.berths[name] = slipPlace{name, s}
		m.mu.Unlock()
	}
	return s
}
