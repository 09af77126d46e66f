// Package cwtwo has a stop channel of the caller's, and a done channel of the goroutine's.
package cwtwo

import (
	"sync"
	"time"
)

type half struct {
	mu   sync.Mutex
	done chan struct{}
	name string
}

// Stop tells the goroutine, which closes its own channel.
func (h *half) Stop() { close(h.done) }

// Pump has a half for the way in and one for the way out.
type Pump struct {
	in, out *half
	work    func()
}

// New starts a pump. The caller stops in; the goroutine stops out.
func New(work func()) *Pump {
	p := &Pump{in: &half{name: "in", done: make(chan struct{})}, out: &half{name: "out", done: make(chan struct{})}, work: work}
	go p.run()
	return p
}

func (p *Pump) run() {
	defer close(p.out.done)
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-p.in.done:
			return
		case <-t.C:
			p.work()
		}
	}
}

// Close stops the pump once, and waits for it.
func (p *Pump) Close() {
	p.in.mu.Lock()
	defer p.in.mu.Unlock()
	select {
	case <-p.in.done:
	default:
		p.in.Stop()
	}
	<-p.out.done
}
