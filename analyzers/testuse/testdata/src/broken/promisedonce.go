package broken

import "sync"

// Dipstick is lent to several workers. Close ends it, Touch may be called once more afterwards. It is
// safe to call Close more than once.
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
	close(p.stop) // want `p.stop is closed without a look whether it is closed already: a second call panics`
	return nil
}

// Sensor is what a board has.
type Sensor interface {
	// Read is called once for each turn.
	Read() int
	// Close ends it.
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
	close(t.stop) // want `t.stop is closed without a look whether it is closed already: a second call panics`
	return nil
}

// Needle can be had by DialFace.Needle.
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
	close(n.stop) // want `n.stop is closed without a look whether it is closed already: a second call panics`
	return nil
}

type DialFace struct {
	needle *Needle
	once   sync.Once
}

func NewDialFace() *DialFace { return &DialFace{needle: &Needle{stop: make(chan struct{})}} }

func (g *DialFace) Needle() *Needle { return g.needle }

func (g *DialFace) Close() error {
	g.once.Do(func() { g.needle.Close() })
	return nil
}

// Shade is handed out as a Blind.
type Shade struct {
	mu   sync.Mutex
	at   int
	stop chan struct{}
}

type Blind interface {
	Set(at int)
	Close() error
}

func (s *Shade) Set(at int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = at
}

func (s *Shade) Close() error {
	close(s.stop) // want `s.stop is closed without a look whether it is closed already: a second call panics`
	return nil
}

func NewBlind() Blind { return &Shade{stop: make(chan struct{})} }

// Latch has a channel that the first Watch makes: anybody can have one.
type Latch struct {
	mu   sync.Mutex
	stop chan struct{}
}

func (l *Latch) Watch() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop == nil {
		l.stop = make(chan struct{})
	}
	return l.stop
}

func (l *Latch) Close() error {
	close(l.stop) // want `l.stop is closed without a look whether it is closed already: a second call panics`
	return nil
}
