package fine

import "sync"

// AwaitServing holds the lock from before the goroutine is started until it waits, and who signals
// takes it.
func AwaitServing(serve func(func())) {
	ready := sync.NewCond(&sync.Mutex{})
	ready.L.Lock()
	defer ready.L.Unlock()
	go serve(func() {
		ready.L.Lock()
		ready.Signal()
		ready.L.Unlock()
	})
	ready.Wait()
}

// AwaitDone asks before it waits.
func AwaitDone(work func()) {
	var mu sync.Mutex
	done := false
	over := sync.NewCond(&mu)
	go func() {
		work()
		mu.Lock()
		done = true
		mu.Unlock()
		over.Broadcast()
	}()
	mu.Lock()
	for !done {
		over.Wait()
	}
	mu.Unlock()
}

// AwaitTick is signalled again and again.
func AwaitTick(ticks <-chan int) {
	var mu sync.Mutex
	tick := sync.NewCond(&mu)
	go func() {
		for range ticks {
			tick.Broadcast()
		}
	}()
	mu.Lock()
	tick.Wait()
	mu.Unlock()
}
