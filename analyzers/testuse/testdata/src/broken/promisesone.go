package broken

import "sync"

// OneForAll gives all who ask for a key the same one.
type OneForAll[K comparable, V any] struct {
	mu sync.RWMutex
	of map[K]V
}

func (r *OneForAll[K, V]) GetOrSet(key K, make func() V) V {
	r.mu.RLock()
	v, ok := r.of[key] // want `two goroutines can both pass the test of r.of\[key\] and both set it: r.mu is held for reading first and taken for writing later, without looking again`
	r.mu.RUnlock()
	if !ok {
		r.mu.Lock()
		v = make()
		r.of[key] = v
		r.mu.Unlock()
	}
	return v
}

// Get says by its name that any will do.
func (r *OneForAll[K, V]) Get(key K, make func() V) V {
	r.mu.RLock()
	v, ok := r.of[key]
	r.mu.RUnlock()
	if !ok {
		r.mu.Lock()
		v = make()
		r.of[key] = v
		r.mu.Unlock()
	}
	return v
}
