package fine

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

// Conduit keeps why it broke from when it breaks.
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
		return p.why
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
