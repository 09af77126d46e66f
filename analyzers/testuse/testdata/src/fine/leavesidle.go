package fine

import (
	"sync"
	"sync/atomic"
)

// A Press takes the flag back in the hold in which it finds nothing, or looks once more.
type Press struct {
	mu      sync.Mutex
	grapes  []string
	turning bool
	pressed func(string)
	olives  []string
	busy    atomic.Bool
}

func (p *Press) Fill(grape string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.grapes = append(p.grapes, grape)
	if !p.turning {
		p.turning = true
		go p.turn()
	}
}

func (p *Press) turn() {
	for {
		p.mu.Lock()
		if len(p.grapes) == 0 {
			p.turning = false
			p.mu.Unlock()
			return
		}
		grape := p.grapes[0]
		p.grapes = p.grapes[1:]
		p.mu.Unlock()
		p.pressed(grape)
	}
}

func (p *Press) Add(olive string) {
	p.mu.Lock()
	p.olives = append(p.olives, olive)
	p.mu.Unlock()
	if p.busy.CompareAndSwap(false, true) {
		go p.crush()
	}
}

func (p *Press) crush() {
	for {
		p.mu.Lock()
		if len(p.olives) == 0 {
			p.mu.Unlock()
			p.busy.Store(false)
			p.mu.Lock()
			more := len(p.olives) > 0
			p.mu.Unlock()
			if !more || !p.busy.CompareAndSwap(false, true) {
				return
			}
			continue
		}
		olive := p.olives[0]
		p.olives = p.olives[1:]
		p.mu.Unlock()
		p.pressed(olive)
	}
}
