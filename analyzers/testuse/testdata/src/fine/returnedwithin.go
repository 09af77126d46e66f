package fine

import (
	"maps"
	"sync"
)

// Voyage is what legs have in common.
type Voyage struct {
	mu    sync.RWMutex
	calls map[string]int
	ports []string
}

func (v *Voyage) Call(port string, days int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.calls[port] = days
	v.ports = append(append([]string(nil), v.ports...), port)
}

// Logbook is what is made known of a voyage.
type Logbook struct {
	Calls map[string]int
	Ports []string
}

func (v *Voyage) Logbook() *Logbook {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return &Logbook{Calls: maps.Clone(v.calls), Ports: v.ports}
}
