package fine

import (
	"sync"
	"sync/atomic"
)

// poller ends once: who ends it says so in one step.
type poller struct {
	ended atomic.Bool
	fails chan error
	done  chan struct{}
}

func (p *poller) Start() { go p.loop() }

func (p *poller) loop() {
	for err := range p.fails {
		if err != nil && p.ended.CompareAndSwap(false, true) {
			close(p.done)
			return
		}
	}
}

func (p *poller) Stop() {
	if p.ended.CompareAndSwap(false, true) {
		close(p.done)
	}
}

// prober ends under a lock.
type prober struct {
	mu    sync.Mutex
	ended bool
	fails chan error
	done  chan struct{}
}

func (p *prober) Start() { go p.loop() }

func (p *prober) loop() {
	<-p.fails
	p.end()
}

func (p *prober) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.ended = true
		close(p.done)
	}
}

func (p *prober) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.ended = true
	close(p.done)
}

// shipper has a channel for the way in and one for the way out.
type shipper struct{ in, out chan int }

func (s *shipper) Start() {
	go func() {
		defer close(s.out)
		for x := range s.in {
			s.out <- x
		}
	}()
}

func (s *shipper) Close() { close(s.in) }
