package fine

import "sync"

// Pantry has a part with a lock of its own: the part is an object of a type that the
// package keeps to itself.
type Pantry struct {
	mu    sync.Mutex
	jars  int
	state pantryState
}

type pantryState struct {
	mu      sync.Mutex
	shelves map[string]*shelf
	best    *shelf
}

type shelf struct{ jars int }

func (s *pantryState) lookUp() *shelf {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.best
}

func (s *pantryState) keep(best *shelf) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.best = best
}

func (p *Pantry) Best(jars int) *shelf {
	best := p.state.lookUp()
	if best == nil || best.jars < jars {
		best = &shelf{jars}
		p.state.keep(best)
	}
	return best
}

// Shelf looks again.
func (p *Pantry) Shelf(name string) *shelf {
	p.state.mu.Lock()
	s := p.state.shelves[name]
	p.state.mu.Unlock()
	if s == nil {
		p.state.mu.Lock()
		defer p.state.mu.Unlock()
		if s = p.state.shelves[name]; s == nil {
			s = &shelf{}
			p.state.shelves[name] = s
		}
	}
	return s
}
