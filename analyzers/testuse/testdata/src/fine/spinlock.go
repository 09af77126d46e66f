package fine

import (
	"runtime"
	"sync/atomic"
)

const (
	gateShut int32 = iota
	gateOpening
	gateOpen
	gateJammed
)

// Turnstile is moved by whoever has taken turn.
type Turnstile struct {
	turn  atomic.Bool
	state atomic.Int32
}

func (g *Turnstile) take() {
	for {
		if !g.turn.Load() && g.turn.CompareAndSwap(false, true) {
			return
		}
		runtime.Gosched()
	}
}

func (g *Turnstile) give() { g.turn.Store(false) }

func (g *Turnstile) Open() {
	g.take()
	if g.state.Load() == gateShut {
		g.state.Store(gateOpening)
	}
	g.give()
}

func (g *Turnstile) Opened() {
	g.take()
	defer g.give()
	if g.state.Load() != gateOpening {
		return
	}
	g.state.Store(gateOpen)
}

func (g *Turnstile) Jam() {
	g.take()
	defer g.give()
	g.state.Store(gateJammed)
}

func (g *Turnstile) State() int32 { return g.state.Load() }
