package fine

import "sync"

// Dipstick is lent to several workers. Who has made it calls Close exactly once.
type Dipstick struct {
	mu   sync.Mutex
	n    int
	stop chan struct{}
}

func NewDipstick() *Dipstick { return &Dipstick{stop: make(chan struct{})} }

func (p *Dipstick) Touch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
}

func (p *Dipstick) Close() error {
	close(p.stop)
	return nil
}

// Sensor is what a board has.
type Sensor interface {
	Read() int
	// Close ends it; the board calls it once.
	Close() error
}

type Thermal struct {
	mu   sync.Mutex
	n    int
	stop chan struct{}
}

func NewThermal() *Thermal { return &Thermal{stop: make(chan struct{})} }

func (t *Thermal) Read() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	return t.n
}

func (t *Thermal) Close() error {
	close(t.stop)
	return nil
}

// Needle is in a DialFace alone, which is what users get.
type Needle struct {
	mu   sync.Mutex
	at   int
	stop chan struct{}
}

func (n *Needle) Set(at int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.at = at
}

func (n *Needle) Close() error {
	close(n.stop)
	return nil
}

type DialFace struct {
	needle *Needle
	once   sync.Once
}

func NewDialFace() *DialFace { return &DialFace{needle: &Needle{stop: make(chan struct{})}} }

func (g *DialFace) Set(at int) { g.needle.Set(at) }

func (g *DialFace) Close() error {
	g.once.Do(func() { g.needle.Close() })
	return nil
}
