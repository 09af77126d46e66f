package fine

import "sync"

type maltbag struct{ grain []byte }

// Malthouse gives its map out by a method, to those who hold the lock.
type Malthouse struct {
	mu    sync.RWMutex
	sacks map[string]*maltbag
	list  []*maltbag
}

func (g *Malthouse) all() map[string]*maltbag {
	if g.sacks == nil {
		g.sacks = map[string]*maltbag{}
	}
	return g.sacks
}

func (g *Malthouse) row() []*maltbag { return g.list }

// Open looks and fills in one critical section.
func (g *Malthouse) Open(name string) *maltbag {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s, ok := g.all()[name]; ok {
		return s
	}
	s := &maltbag{}
	g.all()[name] = s
	return s
}

// Again looks once more.
func (g *Malthouse) Again(name string) *maltbag {
	g.mu.RLock()
	s, ok := g.all()[name]
	g.mu.RUnlock()
	if ok {
		return s
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if s, ok := g.all()[name]; ok {
		return s
	}
	s = &maltbag{}
	g.all()[name] = s
	return s
}

// First is read and set under the lock.
func (g *Malthouse) First(s *maltbag) *maltbag {
	g.mu.Lock()
	defer g.mu.Unlock()
	if first := g.row()[0]; first != nil {
		return first
	}
	g.row()[0] = s
	return s
}

func (g *Malthouse) Count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := len(g.all())
	for _, s := range g.all() {
		n += len(s.grain)
	}
	return n
}
