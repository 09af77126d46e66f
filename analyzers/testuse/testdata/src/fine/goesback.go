package fine

import (
	"sync"
	"sync/atomic"
)

type ovenState int32

const (
	ovenOff ovenState = iota
	ovenIdle
	ovenBaking
	ovenCooling
)

// Oven is switched off by one that waits for its goroutine.
type Oven struct {
	trays chan string
	state atomic.Int32
	quit  chan struct{}
	wg    sync.WaitGroup
}

func NewOven() *Oven {
	o := &Oven{trays: make(chan string), quit: make(chan struct{})}
	o.wg.Add(1)
	go o.work()
	return o
}

func (o *Oven) work() {
	defer o.wg.Done()
	for {
		select {
		case <-o.quit:
			return
		case <-o.trays:
			o.state.Store(int32(ovenBaking))
		}
		if ovenState(o.state.Load()) != ovenOff {
			o.state.Store(int32(ovenIdle))
		}
	}
}

func (o *Oven) SwitchOff() {
	close(o.quit)
	o.wg.Wait()
	o.state.Store(int32(ovenOff))
}

// Grill compares, or stores what whoever else stores leads to.
type Grill struct{ state atomic.Int32 }

func (g *Grill) Cool() {
	if ovenState(g.state.Load()) == ovenBaking {
		g.state.CompareAndSwap(int32(ovenBaking), int32(ovenCooling))
	}
}

func (g *Grill) Rest() {
	if ovenState(g.state.Load()) == ovenCooling {
		g.state.Store(int32(ovenIdle)) // what Heat asks for comes before
	}
}

func (g *Grill) Heat() { g.state.Store(int32(ovenBaking)) }
