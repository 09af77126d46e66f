package broken

import (
	"errors"
	"sync"
)

var errNoSack = errors.New("no such maltbag")

type maltbag struct{ grain []byte }

// Malthouse gives its map out by a method, which makes it at first.
type Malthouse struct {
	mu    sync.RWMutex
	sacks map[string]*maltbag
	made  sync.Once
}

func (g *Malthouse) all() map[string]*maltbag {
	g.made.Do(func() { g.sacks = map[string]*maltbag{} })
	return g.sacks
}

func (g *Malthouse) find(name string) (*maltbag, error) {
	g.mu.RLock()
	s, ok := g.all()[name]
	g.mu.RUnlock()
	if !ok {
		return nil, errNoSack
	}
	return s, nil
}

func (g *Malthouse) Fill(name string) *maltbag {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := &maltbag{}
	g.all()[name] = s
	return s
}

func (g *Malthouse) Open(name string) *maltbag {
	s, err := g.find(name) // want `two goroutines can both pass the test of g.sacks \(in g.find\) and both set it: g.mu is held for reading first and taken for writing later, without looking again`
	if err != nil {
		s = g.Fill(name)
	}
	return s
}

func (g *Malthouse) Empty(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.all(), name)
}
