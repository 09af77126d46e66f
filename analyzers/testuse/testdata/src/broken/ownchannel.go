package broken

import "sync/atomic"

// Well opens its pipes in a loop, for all of which there is one channel.
type Well struct {
	open  atomic.Int32
	drops func() int32
}

func (w *Well) Open(n int) chan int32 {
	drops := make(chan int32)
	for range n {
		go w.run(drops)
	}
	return drops
}

func (w *Well) Set(n int32) { w.open.Store(n) }

func (w *Well) run(drops chan int32) {
	for {
		limit := w.open.Load() // want `two goroutines can both pass the test of w.open and close drops twice`
		n := w.drops()
		if n == limit {
			w.open.Store(0)
			close(drops)
			return
		}
		drops <- n
	}
}

// Spring has two goroutines for each pipe, which have one channel.
type Spring struct {
	open  atomic.Int32
	drops func() int32
}

func (w *Spring) Open() chan int32 {
	drops := make(chan int32)
	go w.run(drops)
	go w.run(drops)
	return drops
}

func (w *Spring) Set(n int32) { w.open.Store(n) }

func (w *Spring) run(drops chan int32) {
	for {
		limit := w.open.Load() // want `two goroutines can both pass the test of w.open and close drops twice`
		n := w.drops()
		if n == limit {
			w.open.Store(0)
			close(drops)
			return
		}
		drops <- n
	}
}

// Geyser is given a channel, and perhaps the same one twice.
type Geyser struct {
	open  atomic.Int32
	drops func() int32
}

func (w *Geyser) Open(drops chan int32) {
	go w.run(drops)
}

func (w *Geyser) Set(n int32) { w.open.Store(n) }

func (w *Geyser) run(drops chan int32) {
	for {
		limit := w.open.Load() // want `two goroutines can both pass the test of w.open and close drops twice`
		n := w.drops()
		if n == limit {
			w.open.Store(0)
			close(drops)
			return
		}
		drops <- n
	}
}

// Cistern opens several pipes, with a channel each; what they have in common is whether it is open.
type Cistern struct {
	open  atomic.Int32
	drops func() int32
}

func (w *Cistern) Open(n int) []chan int32 {
	var list []chan int32
	for range n {
		drops := make(chan int32)
		go w.run(drops)
		list = append(list, drops)
	}
	return list
}

func (w *Cistern) Set(n int32) { w.open.Store(n) }

func (w *Cistern) run(drops chan int32) {
	for {
		limit := w.open.Load() // want `two goroutines can both pass the test of w.open and both set it`
		n := w.drops()
		if n == limit {
			w.open.Store(0)
			close(drops)
			return
		}
		drops <- n
	}
}
