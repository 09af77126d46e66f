package fine

import "sync"

// gate is one of a park's.
type gate struct {
	mu    sync.Mutex
	guest *string
	open  bool
}

// Park has gates; all who let guests through hold its lock, and that of the gate for those
// who look only.
type Park struct {
	mu    sync.Mutex
	gates map[string]*gate
}

func (p *Park) Leave(name, guest string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	g := p.gates[name]
	g.mu.Lock()
	g.guest = &guest
	g.mu.Unlock()
}

func (p *Park) Enter(name, guest string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	g := p.gates[name]
	if g.guest != nil {
		return false
	}
	g.mu.Lock()
	g.guest = &guest
	g.mu.Unlock()
	return true
}

func (p *Park) Look(g *gate) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return *g.guest
}

// Open looks again under the lock of the gate.
func (p *Park) Open(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	g := p.gates[name]
	if g.open {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.open {
		g.open = true
	}
}

func (p *Park) Shut(name string) {
	p.mu.Lock()
	g := p.gates[name]
	p.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = false
}
