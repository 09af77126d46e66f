package broken

import (
	"errors"
	"sync/atomic"
)

const (
	idle int32 = iota
	probing
	blocked
)

var errBusy = errors.New("busy")

// Gate lets one probe through once it is blocked.
type Gate struct {
	state   atomic.Int32
	claimed atomic.Int32
	level   atomic.Int32
	begun   atomic.Bool
	waited  func() bool
}

func (g *Gate) Allow() bool {
	switch g.state.Load() { // want `two goroutines can both pass the test of g.state and both set it`
	case idle:
		return true
	case blocked:
		if !g.waited() {
			return false
		}
		g.state.Store(probing)
		return true
	}
	return false
}

func (g *Gate) Begin() error {
	if g.begun.Load() { // want `two goroutines can both pass the test of g.begun and both set it`
		return errBusy
	}
	g.begun.Store(true)
	return nil
}

// AllowOne lets only the one through whose CompareAndSwap has succeeded.
func (g *Gate) AllowOne() bool {
	switch g.claimed.Load() {
	case idle:
		return true
	case blocked:
		return g.claimed.CompareAndSwap(blocked, probing)
	}
	return false
}

// Raised answers the same to those who come later.
func (g *Gate) Raised() bool {
	if g.level.Load() == idle {
		g.level.Store(probing)
		return true
	}
	return true
}

func (g *Gate) Block() {
	g.state.Store(blocked)
	g.claimed.Store(blocked)
	g.level.Store(idle)
	g.begun.Store(false)
}
