package spared

import "sync"

// A ParkedLine keeps what cannot be sent yet: where something waits already, more is put behind it, and
// two who both find that something waits do what each of them alone would.
type ParkedLine struct {
	mu     sync.Mutex
	waits  []string
	passed int
	busy   bool
}

func (p *ParkedLine) anyWait() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waits) > 0
}

func (p *ParkedLine) park(s string) {
	p.mu.Lock()
	p.waits = append(p.waits, s)
	p.mu.Unlock()
}

func (p *ParkedLine) Send(s string, answered func() bool) bool {
	if p.anyWait() || !answered() {
		p.park(s)
		return false
	}
	return true
}

func (p *ParkedLine) Offer(s string) bool {
	if !p.anyWait() {
		return true
	}
	p.park(s)
	return false
}

// SendFirst is for the first alone.
func (p *ParkedLine) SendFirst(s string, answered func() bool) bool {
	if !p.anyWait() || !answered() { // want `p\.waits`
		p.park(s)
		return false
	}
	return true
}
