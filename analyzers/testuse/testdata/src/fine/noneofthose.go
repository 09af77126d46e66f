package fine

import (
	"errors"
	"sync"
)

// Airport looks again with the lock held, or holds it throughout.
type Airport struct {
	mu     sync.RWMutex
	planes map[string]*plane
}

type plane struct {
	name string
	gate int
}

var errGate = errors.New("taken")

func (a *Airport) Land(name string, gate int) error {
	if a.taken(gate) {
		return errGate
	}
	return a.add(&plane{name, gate})
}

func (a *Airport) taken(gate int) bool {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, p := range a.planes {
		if p.gate == gate {
			return true
		}
	}
	return false
}

func (a *Airport) add(p *plane) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, other := range a.planes {
		if other.gate == p.gate {
			return errGate
		}
	}
	a.planes[p.name] = p
	return nil
}

func (a *Airport) takenLocked(gate int) bool {
	for _, p := range a.planes {
		if p.gate == gate {
			return true
		}
	}
	return false
}

func (a *Airport) Divert(name string, gate int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.takenLocked(gate) {
		return errGate
	}
	a.planes[name] = &plane{name, gate}
	return nil
}

// Follow puts one there because there is one like it.
func (a *Airport) Follow(name string, gate int) {
	if a.taken(gate) {
		a.mu.Lock()
		a.planes[name] = &plane{name, gate + 1}
		a.mu.Unlock()
	}
}
