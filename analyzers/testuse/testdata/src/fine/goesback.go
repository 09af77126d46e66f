package fine

import (
	"sync"
	"sync/atomic"
)

type stoveState int32

const (
	stoveOff stoveState = iota
	stoveIdle
	stoveBaking
	stoveCooling
)

// Stove is switched off by one that waits for its goroutine.
type Stove struct {
	trays chan string
	state atomic.Int32
	quit  chan struct{}
	wg    sync.WaitGroup
}

func NewStove() *Stove {
	o := &Stove{trays: make(chan string), quit: make(chan struct{})}
	o.wg.Add(1)
	go o.work()
	return o
}

func (o *Stove) work() {
	defer o.wg.Done()
	for {
		select {
		case <-o.quit:
			return
		case <-o.trays:
			o.state.Store(int32(stoveBaking))
		}
		if stoveState(o.state.Load()) != stoveOff {
			o.state.Store(int32(stoveIdle))
		}
	}
}

func (o *Stove) SwitchOff() {
	close(o.quit)
	o.wg.Wait()
	o.state.Store(int32(stoveOff))
}

// Grill compares, or stores what whoever else stores leads to.
type Grill struct{ state atomic.Int32 }

func (g *Grill) Cool() {
	if stoveState(g.state.Load()) == stoveBaking {
		g.state.CompareAndSwap(int32(stoveBaking), int32(stoveCooling))
	}
}

func (g *Grill) Rest() {
	if stoveState(g.state.Load()) == stoveCooling {
		g.state.Store(int32(stoveIdle)) // what Heat asks for comes before
	}
}

func (g *Grill) Heat() { g.state.Store(int32(stoveBaking)) }
