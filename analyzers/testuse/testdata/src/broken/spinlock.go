package broken

import (
	"runtime"
	"sync/atomic"
)

const (
	hatchShut int32 = iota
	hatchOpening
	hatchOpen
	hatchJammed
)

// Hatch has a turn of three values: whoever finds it broken goes on as well.
type Hatch struct {
	turn  atomic.Int32
	state atomic.Int32
}

func (h *Hatch) take() {
	for !h.turn.CompareAndSwap(0, 1) {
		if h.turn.CompareAndSwap(2, 2) {
			return
		}
		runtime.Gosched()
	}
}

func (h *Hatch) give() { h.turn.Store(0) }

func (h *Hatch) Break() { h.turn.Store(2) }

func (h *Hatch) Open() {
	h.take()
	defer h.give()
	if h.state.Load() == hatchShut { // want `\(\*Hatch\).Jam can set h.state between this test and the store, which takes that back`
		h.state.Store(hatchOpening)
	}
}

func (h *Hatch) Jam() {
	h.take()
	defer h.give()
	h.state.Store(hatchJammed)
}
