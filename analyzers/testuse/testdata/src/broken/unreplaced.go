package broken

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
)

// A Heliograph signals by a line that is laid again when it breaks.
type Heliograph struct {
	mu     sync.RWMutex
	up     atomic.Bool
	line   net.Conn
	spoilt chan struct{}
}

func NewHeliograph() *Heliograph {
	h := &Heliograph{spoilt: make(chan struct{})}
	go h.watch()
	return h
}

func (h *Heliograph) watch() {
	for range h.spoilt {
		_ = h.relay()
	}
}

func (h *Heliograph) relay() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.up.Store(false)
	h.line.Close()
	var err error
	if h.line, err = net.Dial("tcp", "hill:1"); err != nil {
		return err
	}
	h.up.Store(true)
	return nil
}

func (h *Heliograph) Flash(p []byte) (int, error) {
	if !h.up.Load() { // want `h.up is looked at before h.mu is taken: by then \(\*Heliograph\).relay can have unset it and failed to make another h.line, which is used here`
		return 0, errors.New("clouds")
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.line.Write(p)
}

// A Etcher draws by whatever nib it has.
type Etcher struct {
	mu   sync.RWMutex
	torn uint32
	nib
}

type nib interface {
	dip() int
	draw(x, y int) error
}

func takeNib() (nib, error) { return nil, errors.New("none left") }

func (p *Etcher) Start() { go p.repair() }

func (p *Etcher) repair() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	atomic.StoreUint32(&p.torn, 1)
	fresh := p.exchange
	return fresh()
}

func (p *Etcher) exchange() error { return nil }

func (p *Etcher) Exchange() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tear()
	p.nib, err = takeNib()
	if err != nil {
		return err
	}
	atomic.StoreUint32(&p.torn, 0)
	return nil
}

func (p *Etcher) tear() { atomic.StoreUint32(&p.torn, 1) }

func (p *Etcher) isTorn() bool { return atomic.LoadUint32(&p.torn) != 0 }

func (p *Etcher) Line(n int) error {
	if p.isTorn() { // want `p.torn \(in p.isTorn\) is looked at before p.mu is taken: by then \(\*Etcher\).Exchange can have set it and failed to make another p.nib, which is used here`
		return errors.New("torn")
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.stroke(n)
}

func (p *Etcher) stroke(n int) error {
	for p.dip() < n {
	}
	return p.draw(n, n)
}

func (p *Etcher) Dot(n int) error {
	if p.isTorn() { // want `p.torn \(in p.isTorn\) is looked at before p.mu is taken: by then \(\*Etcher\).Exchange can have set it and failed to make another p.nib, which is used here`
		return errors.New("torn")
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.draw(n, n)
}
