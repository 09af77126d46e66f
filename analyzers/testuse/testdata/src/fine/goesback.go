package fine

import (
	"sync"
	"sync/atomic"
)

type cookerState int32

const (
	cookerOff cookerState = iota
	cookerIdle
	cookerBaking
	cookerCooling
)

// Cooker is switched off by one that waits for its goroutine.
type Cooker struct {
	trays chan string
	state atomic.Int32
	quit  chan struct{}
	wg    sync.WaitGroup
}

func NewCooker() *Cooker {
	o := &Cooker{trays: make(chan string), quit: make(chan struct{})}
	o.wg.Add(1)
	go o.work()
	return o
}

func (o *Cooker) work() {
	defer o.wg.Done()
	for {
		select {
		case <-o.quit:
			return
		case <-o.trays:
			o.state.Store(int32(cookerBaking))
		}
		if cookerState(o.state.Load()) != cookerOff {
			o.state.Store(int32(cookerIdle))
		}
	}
}

func (o *Cooker) SwitchOff() {
	close(o.quit)
	o.wg.Wait()
	o.state.Store(int32(cookerOff))
}

// Grill compares, or stores what whoever else stores leads to.
type Grill struct{ state atomic.Int32 }

func (g *Grill) Cool() {
	if cookerState(g.state.Load()) == cookerBaking {
		g.state.CompareAndSwap(int32(cookerBaking), int32(cookerCooling))
	}
}

func (g *Grill) Rest() {
	if cookerState(g.state.Load()) == cookerCooling {
		g.state.Store(int32(cookerIdle)) // what Heat asks for comes before
	}
}

func (g *Grill) Heat() { g.state.Store(int32(cookerBaking)) }
