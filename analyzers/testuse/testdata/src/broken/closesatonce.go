package broken

import (
	"errors"
	"sync"
)

var errPiped = errors.New("piped")

// piping tells why it has ended by the first error, or the last one.
type piping struct {
	mu   sync.Mutex
	err  error
	done chan struct{}
	in   chan int
}

func Piping() *piping {
	p := &piping{done: make(chan struct{}), in: make(chan int)}
	go p.loop()
	return p
}

func (p *piping) loop() {
	for n := range p.in {
		if n < 0 {
			p.End(errPiped)
			return
		}
	}
}

func (p *piping) why() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

func (p *piping) set(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
}

func (p *piping) End(err error) {
	if p.why() != nil { // want `two goroutines can both pass the test of p.err \(in p.why\) and close p.done twice: p.mu is released in between`
		return
	}
	p.set(err)
	close(p.done)
}

func (p *piping) Abort(err error) {
	p.mu.Lock()
	dead := p.err != nil // want `two goroutines can both pass the test of p.err and close p.done twice: p.mu is released in between`
	p.mu.Unlock()
	if !dead {
		p.mu.Lock()
		p.err = err
		p.mu.Unlock()
		close(p.done)
	}
}
