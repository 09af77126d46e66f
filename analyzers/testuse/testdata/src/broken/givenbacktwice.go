package broken

import (
	"os"
	"sync/atomic"
)

// Printing lets one print at a time.

type Printing struct {
	running atomic.Bool
	turn    int32
	path    string
}

func (p *Printing) Print(out func(string) error) error {
	if !p.running.CompareAndSwap(false, true) {
		return nil
	}
	defer p.running.Store(false)
	if _, err := os.Stat(p.path); err != nil {
		p.running.Store(false) // want `p.running is given back here, and once more by the deferred call when the function returns`
		println("nothing to print")
		return nil
	}
	return out(p.path)
}

func (p *Printing) done() { atomic.StoreInt32(&p.turn, 0) }

func (p *Printing) Proof(out func(string) error) {
	if !atomic.CompareAndSwapInt32(&p.turn, 0, 1) {
		return
	}
	defer p.done()
	if p.path != "" {
		if err := out(p.path); err != nil {
			p.done() // want `p.turn is given back here, and once more by the deferred call when the function returns`
			return
		}
	}
	println("proof")
}
