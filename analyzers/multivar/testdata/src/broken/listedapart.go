package broken

import "sync"

type plugin struct {
	name string
	rank int
}

// Plugins are in a map and in an order.
type Plugins struct {
	mu    sync.Mutex
	order []*plugin
	index map[string]*plugin
}

func (p *Plugins) Insert(name string, rank int) bool {
	pl := &plugin{name, rank}
	p.mu.Lock()
	if _, dup := p.index[name]; dup {
		p.mu.Unlock()
		return false
	}
	p.index[name] = pl // want `pl is put into Plugins.index in an earlier critical section than the one that puts it into Plugins.order: \(\*Plugins\).Remove, which takes it out of both in one, can come in between, and it stays in the second one`
	p.mu.Unlock()

	p.mu.Lock()
	p.order = append(p.order, pl)
	p.mu.Unlock()
	return true
}

func (p *Plugins) Remove(name string) {
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

type gadget struct{ id, name string }

// Gadgets are found by their names before they are there.
type Gadgets struct {
	mu     sync.RWMutex
	byID   map[string]*gadget
	byName map[string]string
}

func (g *Gadgets) putID(d *gadget) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byID[d.id] = d
}

func (g *Gadgets) putName(d *gadget) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byName[d.name] = d.id
}

func (g *Gadgets) Put(id, name string) {
	d := &gadget{id, name}
	g.putName(d) // want `an entry is stored in g.byName here and g.byID in a later critical section; \(\*Gadgets\).Rank goes from one to the other without a look, and can find the half of it`
	g.putID(d)
}

func (g *Gadgets) Rank(name string) string {
	g.mu.RLock()
	defer g.mu.RUnlock()
	id, ok := g.byName[name]
	if !ok {
		return ""
	}
	return g.byID[id].name
}
