package broken

import (
	"sort"
	"sync"
)

// Ring spreads keys over the nodes that are up.
type Ring struct {
	mu     sync.RWMutex
	nodes  map[string]bool
	order  []string
	closed bool
}

func (r *Ring) SetNodes(nodes map[string]bool) {
	r.mu.Lock()
	r.nodes = nodes // want `of two goroutines that change r.nodes here, the one for which r.rebuild has looked at it earlier can store Ring.order later, which then stays out of date`
	r.mu.Unlock()

	r.rebuild()
}

// Refresh computes the order again.
func (r *Ring) Refresh() { r.rebuild(); r.rebuild() }

func (r *Ring) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.order = nil
}

// rebuild computes the order without the lock, for that takes long.
func (r *Ring) rebuild() {
	r.mu.RLock()
	nodes := r.nodes
	r.mu.RUnlock()

	up := make([]string, 0, len(nodes))
	for name, ok := range nodes {
		if ok {
			up = append(up, name)
		}
	}
	sort.Strings(up)

	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.order = up
}

func (r *Ring) Pick(i int) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.order) == 0 {
		return ""
	}
	return r.order[i%len(r.order)]
}
