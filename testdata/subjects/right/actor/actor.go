// Package actor runs all that changes its state in one goroutine.
package actor

import "sync/atomic"

const (
	idle int32 = iota
	syncing
	ready
	failed
)

// Actor has one goroutine.
type Actor struct {
	state atomic.Int32
	calls chan func()
	peers map[string]int
}

// New starts one.
func New() *Actor {
	a := &Actor{calls: make(chan func(), 16), peers: map[string]int{}}
	go a.loop()
	return a
}

func (a *Actor) loop() {
	for f := range a.calls {
		f()
	}
}

// Sync goes on to ready. Right: the literals run in the loop, one after the other; the state is
// atomic for those who only look at it.
func (a *Actor) Sync(name string) {
	a.calls <- func() {
		if a.state.Load() != syncing {
			return
		}
		a.peers[name]++
		a.state.Store(ready)
	}
}

// Begin starts.
func (a *Actor) Begin() {
	a.calls <- func() {
		if a.state.Load() == idle {
			a.state.Store(syncing)
		}
	}
}

// Fail is the end.
func (a *Actor) Fail() {
	a.calls <- func() { a.state.Store(failed) }
}

// Ready says whether it is.
func (a *Actor) Ready() bool { return a.state.Load() == ready }
