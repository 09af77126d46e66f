package broken

import (
	"errors"
	"sync/atomic"
	"time"
)

var errNoSluice = errors.New("closed")

// Spillway gives those that send a while to go.
type Spillway struct {
	shut atomic.Bool
	flow chan int
}

func (s *Spillway) Put(i int) error {
	if s.shut.Load() { // want `s.flow can be closed between the test of s.shut and the send on it`
		return errNoSluice
	}
	s.flow <- i
	return nil
}

func (s *Spillway) Close() {
	if s.shut.CompareAndSwap(false, true) {
		time.AfterFunc(time.Second, func() { close(s.flow) })
	}
}

type stopOrder struct{}

// Newsstand is served by one goroutine.
type Newsstand struct {
	shut   atomic.Bool
	orders chan any
	gone   chan struct{}
}

func OpenNewsstand() *Newsstand {
	k := &Newsstand{orders: make(chan any, 4), gone: make(chan struct{})}
	go k.serve()
	return k
}

func (k *Newsstand) Order(what string) {
	if k.shut.Load() { // want `k.orders can be closed between the test of k.shut and the send on it`
		return
	}
	k.orders <- what
}

func (k *Newsstand) Close() {
	if !k.shut.CompareAndSwap(false, true) {
		return
	}
	k.orders <- stopOrder{}
	<-k.gone
}

func (k *Newsstand) serve() {
	for o := range k.orders {
		if _, stop := o.(stopOrder); stop {
			close(k.orders)
			close(k.gone)
			return
		}
	}
}
