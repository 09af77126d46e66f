// Package spinstate has a lock made of an atomic flag around all transitions.
package spinstate

import (
	"runtime"
	"sync/atomic"
)

const (
	offline int32 = iota
	connecting
	connected
	draining
)

// Link is a link.
type Link struct {
	turn  atomic.Bool
	state atomic.Int32
}

func (l *Link) enter() {
	for !l.turn.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

func (l *Link) leave() { l.turn.Store(false) }

// Dial begins.
func (l *Link) Dial() {
	l.enter()
	defer l.leave()
	if l.state.Load() == offline {
		l.state.Store(connecting)
	}
}

// Established goes on. Right: enter lets one caller in at a time; all that store the state
// enter first. The state is atomic for State alone.
func (l *Link) Established() bool {
	l.enter()
	defer l.leave()
	if l.state.Load() != connecting {
		return false
	}
	l.state.Store(connected)
	return true
}

// Drain ends it.
func (l *Link) Drain() {
	l.enter()
	defer l.leave()
	l.state.Store(draining)
}

// State is the state.
func (l *Link) State() int32 { return l.state.Load() }
