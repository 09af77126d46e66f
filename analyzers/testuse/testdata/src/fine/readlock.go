package fine

import "sync"

// rack is written with its lock held for writing.
type rack struct {
	mu    sync.RWMutex
	coats map[string]int
}

func (r *rack) take(coat string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.coats[coat] > 0 {
		delete(r.coats, coat)
		return true
	}
	return false
}

func (r *rack) has(coat string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.coats[coat] > 0
}
