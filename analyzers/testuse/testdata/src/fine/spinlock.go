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

// Gate is moved by whoever has taken turn.
type Gate struct {
	turn  atomic.Bool
	state atomic.Int32
}

func (g *Gate) take() {
	for {
		if !g.turn.Load() && g.turn.CompareAndSwap(false, true) {
			return
		}
		runtime.Gosched()
	}
}

func (g *Gate) give() { g.turn.Store(false) }

func (g *Gate) Open() {
	g.take()
	if g.state.Load() == gateShut {
		g.state.Store(gateOpening)
	}
	g.give()
}

func (g *Gate) Opened() {
	g.take()
	defer g.give()
	if g.state.Load() != gateOpening {
		return
	}
	g.state.Store(gateOpen)
}

func (g *Gate) Jam() {
	g.take()
	defer g.give()
	g.state.Store(gateJammed)
}

func (g *Gate) State() int32 { return g.state.Load() }
