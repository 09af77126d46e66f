package fine

import (
	"os"
	"sync/atomic"
)

// Plotting gives the flag back once, or takes it again.

type Plotting struct {
	running atomic.Bool
	path    string
}

func (p *Plotting) Plot(out func(string) error) error {
	if !p.running.CompareAndSwap(false, true) {
		return nil
	}
	if _, err := os.Stat(p.path); err != nil {
		p.running.Store(false)
		return nil
	}
	defer p.running.Store(false)
	return out(p.path)
}

func (p *Plotting) Draft(out func(string) error) {
	if !p.running.CompareAndSwap(false, true) {
		return
	}
	mine := true
	defer func() {
		if mine {
			p.running.Store(false)
		}
	}()
	if err := out(p.path); err != nil {
		mine = false
		p.running.Store(false)
		return
	}
	println("drafted")
}

func (p *Plotting) Twice(out func(string) error) {
	if !p.running.CompareAndSwap(false, true) {
		return
	}
	defer p.running.Store(false)
	out(p.path)
	p.running.Store(false)
	for !p.running.CompareAndSwap(false, true) {
		println("waits")
	}
	out(p.path)
}
