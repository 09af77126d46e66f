package fine

import "sync/atomic"

// Well has a goroutine for each pipe that is opened, and the goroutine its own channel.
type Well struct {
	open  atomic.Int32
	drops func() int32
}

func (w *Well) Open() chan int32 {
	drops := make(chan int32)
	go w.run(drops)
	return drops
}

func (w *Well) Set(n int32) { w.open.Store(n) }

func (w *Well) run(drops chan int32) {
	for {
		limit := w.open.Load()
		n := w.drops()
		if n == limit {
			w.open.Store(0)
			close(drops)
			return
		}
		drops <- n
	}
}
