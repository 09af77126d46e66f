package broken

import (
	"errors"
	"sync"
)

type conduitPhase int

const (
	conduitOpen conduitPhase = iota
	conduitBroken
	conduitEnded
)

// Conduit can be mended, and break anew for another reason.
type Conduit struct {
	mu    sync.Mutex
	phase conduitPhase
	why   error
	n     int
}

func (p *Conduit) Break(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.phase == conduitOpen {
		p.phase = conduitBroken
		p.why = why
	}
	p.n++
}

func (p *Conduit) Fail() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.phase == conduitOpen {
		p.phase = conduitBroken
		p.why = errors.New("failed")
	}
	p.n++
}

func (p *Conduit) End() error {
	p.mu.Lock()
	switch p.phase {
	case conduitOpen:
	case conduitEnded:
		p.mu.Unlock()
		return nil
	case conduitBroken:
		p.mu.Unlock()
		return p.why // want `p.why is accessed here without the lock that all other functions hold for it: p.mu in \(\*Conduit\).Break`
	}
	p.phase = conduitEnded
	p.mu.Unlock()
	return nil
}

func (p *Conduit) Why() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.why
}

func (p *Conduit) Mend() {
	p.mu.Lock()
	p.phase = conduitOpen
	p.mu.Unlock()
}
