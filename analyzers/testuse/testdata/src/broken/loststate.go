package broken

import (
	"context"
	"sync"
)

type phase int

const (
	idle phase = iota
	calling
	talking
	gone
)

// Phone is in one phase after the other.
type Phone struct {
	mu     sync.Mutex
	phase  phase
	number string
	cancel context.CancelFunc
	dial   func(number string) error
}

func (p *Phone) Call(number string) error {
	p.mu.Lock()
	p.number = number
	p.phase = calling // want `what \(\*Phone\).HangUp stores in p.phase while p.mu is released after this is overwritten, without another look: with talking`
	p.mu.Unlock()
	if err := p.dial(number); err != nil {
		return err
	}
	p.mu.Lock()
	p.phase = talking
	p.mu.Unlock()
	return nil
}

// CallIf looks again.
func (p *Phone) CallIf(number string) error {
	p.mu.Lock()
	p.phase = calling
	p.mu.Unlock()
	if err := p.dial(number); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.phase == calling {
		p.phase = talking
	}
	return nil
}

// CallSame looks at something that changes with the phase.
func (p *Phone) CallSame(number string) error {
	p.mu.Lock()
	p.number = number
	p.phase = calling
	p.mu.Unlock()
	if err := p.dial(number); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.number != number {
		return nil
	}
	p.phase = talking
	return nil
}

// CallLocked keeps the lock.
func (p *Phone) CallLocked(number string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.phase = calling
	if err := p.dial(number); err != nil {
		return err
	}
	p.phase = talking
	return nil
}

// Ring is over in the end, whatever was asked for.
func (p *Phone) Ring() {
	p.mu.Lock()
	p.phase = calling
	p.mu.Unlock()
	_ = p.dial("")
	p.mu.Lock()
	p.phase = idle
	p.mu.Unlock()
}

func (p *Phone) HangUp() {
	p.mu.Lock()
	p.phase = gone
	p.mu.Unlock()
}

// Radio is set to gone only while it plays, or by who cancels the call.
type Radio struct {
	mu     sync.Mutex
	phase  phase
	cancel context.CancelFunc
	tune   func() error
}

func (r *Radio) Play() error {
	r.mu.Lock()
	r.phase = calling
	r.mu.Unlock()
	if err := r.tune(); err != nil {
		return err
	}
	r.mu.Lock()
	r.phase = talking
	r.mu.Unlock()
	return nil
}

func (r *Radio) Mute() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase == talking {
		r.phase = gone
	}
}

func (r *Radio) Cancel() {
	r.mu.Lock()
	r.phase = gone
	r.cancel()
	r.mu.Unlock()
}
