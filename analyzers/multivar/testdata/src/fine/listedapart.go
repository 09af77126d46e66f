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

type tool struct{ id, name string }

// Tools are there before they are found by their names.
type Tools struct {
	mu     sync.RWMutex
	byID   map[string]*tool
	byName map[string]string
}

func (g *Tools) putID(d *tool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byID[d.id] = d
}

func (g *Tools) putName(d *tool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byName[d.name] = d.id
}

func (g *Tools) Put(id, name string) {
	d := &tool{id, name}
	g.putID(d)
	g.putName(d)
}

func (g *Tools) Rank(name string) string {
	g.mu.RLock()
	defer g.mu.RUnlock()
	id, ok := g.byName[name]
	if !ok {
		return ""
	}
	return g.byID[id].name
}
