package held

import (
	"runtime"
	"sync/atomic"
)

type spins struct {
	busy  atomic.Bool
	turn  int32
	once  atomic.Bool
	state atomic.Int32
	taken atomic.Int32
}

func (s *spins) enter() {
	for !atomic.CompareAndSwapInt32(&s.turn, 0, 1) {
		runtime.Gosched()
	}
}

func (s *spins) leave() { atomic.StoreInt32(&s.turn, 0) }

func (s *spins) Use() {
	for s.busy.Load() || !s.busy.CompareAndSwap(false, true) {
		probe() // want `<>`
	}
	probe() // want `<s.busy>`
	s.busy.Store(false)
	probe() // want `<>`
	s.enter()
	defer s.leave()
	probe() // want `<s.turn>`
}

func (s *spins) Again() {
	s.enter()
	probe() // want `<s.turn>`
	s.leave()
	probe() // want `<>`
}

func (s *spins) Try() {
	if !s.busy.CompareAndSwap(false, true) {
		probe() // want `<>`
		return
	}
	defer s.busy.Store(false)
	probe() // want `<s.busy>`
}

func (s *spins) Wait() {
	for {
		if s.busy.CompareAndSwap(false, true) {
			break
		}
		probe() // want `<>`
	}
	probe() // want `<s.busy>`
	s.busy.CompareAndSwap(true, false)
	probe() // want `<>`
}

// Nothing waits for these, they have more than two states, or are given back by others.

func (s *spins) Once() {
	if s.once.CompareAndSwap(false, true) {
		probe() // want `<>`
		s.once.Store(false)
	}
}

func (s *spins) States() {
	for !s.state.CompareAndSwap(0, 1) {
	}
	probe() // want `<>`
	s.state.Store(2)
	s.state.Store(0)
}

func (s *spins) Taken() {
	for !s.taken.CompareAndSwap(0, 1) {
	}
	probe() // want `<>`
	go func() {
		probe() // want `<>`
		s.taken.Store(0)
	}()
}
