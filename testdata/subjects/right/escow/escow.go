// Package escow replaces its map as a whole: a map that was returned does not change any more.
package escow

import (
	"maps"
	"sync"
)

// Routes are read often, and changed seldom.
type Routes struct {
	mu sync.RWMutex
	m  map[string]string // never written once it is here, but for New
}

// New has some routes from the start.
func New(first map[string]string) *Routes {
	r := &Routes{m: make(map[string]string, len(first))}
	for k, v := range first {
		r.m[k] = v
	}
	return r
}

// all is the map, which is read only.
func (r *Routes) all() map[string]string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.m
}

// Set adds a route to a copy.
func (r *Routes) Set(from, to string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := maps.Clone(r.m)
	next[from] = to
	r.m = next
}

// Delete deletes one in a copy.
func (r *Routes) Delete(from string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m = maps.Clone(r.m)
	delete(r.m, from)
}

// To is where the route leads.
func (r *Routes) To(from string) string { return r.all()[from] }

// Each calls f for each.
func (r *Routes) Each(f func(string, string)) {
	for k, v := range r.all() {
		f(k, v)
	}
}
