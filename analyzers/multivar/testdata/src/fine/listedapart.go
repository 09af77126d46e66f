package fine

import "sync"

type part struct{ name string }

// Parts are taken out of the order first, by a loop that asks the map.
type Parts struct {
	mu    sync.Mutex
	order []*part
	index map[string]*part
	log   []*part
}

func (p *Parts) Insert(name string) {
	pl := &part{name}
	p.mu.Lock()
	p.index[name] = pl
	p.order = append(p.order, pl)
	p.mu.Unlock()

	p.mu.Lock()
	p.log = append(p.log, pl)
	p.mu.Unlock()
}

func (p *Parts) Remove(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pl := p.index[name]
	delete(p.index, name)
	for i, o := range p.order {
		if o == pl {
			p.order = append(p.order[:i], p.order[i+1:]...)
			break
		}
	}
}

type chisel struct{ id, name string }

// Chisels are there before they are found by their names.
type Chisels struct {
	mu     sync.RWMutex
	byID   map[string]*chisel
	byName map[string]string
}

func (g *Chisels) putID(d *chisel) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byID[d.id] = d
}

func (g *Chisels) putName(d *chisel) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byName[d.name] = d.id
}

func (g *Chisels) Put(id, name string) {
	d := &chisel{id, name}
	g.putID(d)
	g.putName(d)
}

func (g *Chisels) Rank(name string) string {
	g.mu.RLock()
	defer g.mu.RUnlock()
	id, ok := g.byName[name]
	if !ok {
		return ""
	}
	return g.byID[id].name
}
