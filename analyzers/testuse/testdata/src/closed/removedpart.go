package closed

import "sync"

type duct struct {
	name string
	out  chan int
	end  chan struct{}
}

// Ducts removes the one that it is given, and closes it in a method of its own.
type Ducts struct {
	mu    sync.RWMutex
	ducts map[string]*duct
}

func (d *Ducts) Add(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ducts[name] = &duct{name: name, out: make(chan int, 1)}
}

func (d *Ducts) Send(name string, n int) bool {
	d.mu.RLock()
	x, ok := d.ducts[name] // want `x.out can be closed once d.mu is released, and the send then panics: \(\*Ducts\).Remove takes the object out of Ducts.ducts\[\] and closes its channel`
	d.mu.RUnlock()
	if !ok {
		return false
	}
	select {
	case x.out <- n:
		return true
	default:
		return false
	}
}

func (d *Ducts) Remove(x *duct) {
	d.mu.Lock()
	if there, ok := d.ducts[x.name]; !ok || there != x {
		d.mu.Unlock()
		return
	}
	delete(d.ducts, x.name)
	d.mu.Unlock()
	d.shut(x)
}

func (d *Ducts) shut(x *duct) {
	defer func() { _ = recover() }()
	close(x.out)
}

// Canals closes what it is given itself, and asks for its name first.
type Canals struct {
	sync.Mutex
	canals map[string]*duct
}

func (c *Canals) Put(x *duct) {
	c.Lock()
	defer c.Unlock()
	c.canals[x.name] = x
}

func (c *Canals) Send(name string, n int) {
	c.Lock()
	x := c.canals[name] // want `x.out can be closed once c.Mutex is released, and the send then panics: \(\*Canals\).Remove`
	c.Unlock()
	if x != nil {
		x.out <- n
	}
}

func (c *Canals) Remove(x *duct) {
	name := x.name
	c.Lock()
	delete(c.canals, name)
	c.Unlock()
	close(x.out)
}

// Pipes closes by a function what it has found.
type Pipes struct {
	mu    sync.Mutex
	pipes map[string]*duct
}

func (p *Pipes) Put(x *duct) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pipes[x.name] = x
}

func (p *Pipes) Send(name string, n int) {
	p.mu.Lock()
	x := p.pipes[name] // want `x.out can be closed once p.mu is released, and the send then panics: \(\*Pipes\).Remove`
	p.mu.Unlock()
	if x != nil {
		x.out <- n
	}
}

func (p *Pipes) Remove(name string) {
	p.mu.Lock()
	x := p.pipes[name]
	delete(p.pipes, name)
	p.mu.Unlock()
	if x != nil {
		shutDuct(x)
	}
}

func shutDuct(x *duct) { close(x.out) }

// Tubes tells by another channel that it is over.
type Tubes struct {
	mu    sync.Mutex
	tubes map[string]*duct
}

func (t *Tubes) Put(x *duct) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tubes[x.name] = x
}

func (t *Tubes) Send(name string, n int) {
	t.mu.Lock()
	x := t.tubes[name]
	t.mu.Unlock()
	if x == nil {
		return
	}
	select {
	case x.out <- n:
	case <-x.end:
	}
}

func (t *Tubes) Remove(x *duct) {
	t.mu.Lock()
	delete(t.tubes, x.name)
	t.mu.Unlock()
	close(x.end)
}

// Sluices sends with the lock held.
type Sluices struct {
	mu      sync.RWMutex
	sluices map[string]*duct
}

func (s *Sluices) Put(x *duct) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sluices[x.name] = x
}

func (s *Sluices) Send(name string, n int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if x := s.sluices[name]; x != nil {
		x.out <- n
	}
}

func (s *Sluices) Remove(x *duct) {
	s.mu.Lock()
	delete(s.sluices, x.name)
	s.mu.Unlock()
	close(x.out)
}

// Gates removes one, and closes another that is in no map.
type Gates struct {
	mu    sync.Mutex
	gates map[string]*duct
}

func (g *Gates) Put(x *duct) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gates[x.name] = x
}

func (g *Gates) Send(name string, n int) {
	g.mu.Lock()
	x := g.gates[name]
	g.mu.Unlock()
	if x != nil {
		x.out <- n
	}
}

func (g *Gates) Remove(name string, other *duct) {
	g.mu.Lock()
	delete(g.gates, name)
	g.mu.Unlock()
	close(other.out)
}
