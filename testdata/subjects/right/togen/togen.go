// Package togen asks for the generation of a key before it deletes.
package togen

import (
	"sync"
	"time"
)

type grant struct {
	who   string
	until time.Time
	gen   uint64
}

// Grants counts the grants of each key: another grant has another number.
type Grants struct {
	mu   sync.RWMutex
	all  map[string]grant
	gens map[string]uint64
	n    int
}

// New makes an empty one.
func New() *Grants {
	return &Grants{all: map[string]grant{}, gens: map[string]uint64{}}
}

// Give grants the key.
func (g *Grants) Give(key, who string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gens[key]++
	g.all[key] = grant{who, time.Now().Add(d), g.gens[key]}
	g.n++
}

// Who has the key, if it is not over.
func (g *Grants) Who(key string) string {
	g.mu.RLock()
	e, ok := g.all[key]
	g.mu.RUnlock()
	if !ok {
		return ""
	}
	if time.Now().Before(e.until) {
		return e.who
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.gens[key] != e.gen {
		return "" // granted anew
	}
	if _, ok := g.all[key]; ok {
		g.n--
		delete(g.all, key)
	}
	return ""
}

// Len is how many were given and not found over.
func (g *Grants) Len() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.n
}
