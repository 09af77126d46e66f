package broken

import (
	"errors"
	"sync/atomic"
)

const (
	calm int32 = iota
	probing
	blocked
)

var errBusy = errors.New("busy")

// Sluice lets one probe through once it is blocked.
type Sluice struct {
	state   atomic.Int32
	claimed atomic.Int32
	level   atomic.Int32
	begun   atomic.Bool
	waited  func() bool
}

func (g *Sluice) Allow() bool {
	switch g.state.Load() { // want `two goroutines can both pass the test of g.state and both set it`
	case calm:
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

func (g *Sluice) Begin() error {
	if g.begun.Load() { // want `two goroutines can both pass the test of g.begun and both set it`
		return errBusy
	}
	g.begun.Store(true)
	return nil
}

// AllowOne lets only the one through whose CompareAndSwap has succeeded.
func (g *Sluice) AllowOne() bool {
	switch g.claimed.Load() {
	case calm:
		return true
	case blocked:
		return g.claimed.CompareAndSwap(blocked, probing)
	}
	return false
}

// Raised answers the same to those who come later.
func (g *Sluice) Raised() bool {
	if g.level.Load() == calm {
		g.level.Store(probing)
		return true
	}
	return true
}

func (g *Sluice) Block() {
	g.state.Store(blocked)
	g.claimed.Store(blocked)
	g.level.Store(calm)
	g.begun.Store(false)
}
