package broken

import (
	"sync"
	"time"
)

func serveUntil(addr string, ready func()) {
	println(addr)
	ready()
}

// StartServing holds the lock of the waiters, which who signals does not take.
func StartServing(addr string) {
	if addr != "" {
		ready := sync.NewCond(&sync.Mutex{})
		ready.L.Lock()
		defer ready.L.Unlock()
		go serveUntil(addr, func() {
			ready.Signal()
		})
		ready.Wait() // want `ready can be signalled before ready.Wait\(\), since nothing holds the goroutine that signals it back until then: the wait does not end`
	}
}

// WaitForOne takes the lock when the other one may have had it already.
func WaitForOne(work func()) {
	var mu sync.Mutex
	over := sync.NewCond(&mu)
	go func() {
		work()
		mu.Lock()
		over.Broadcast()
		mu.Unlock()
	}()
	mu.Lock()
	over.Wait() // want `over can be signalled before over.Wait\(\)`
	mu.Unlock()
}

// Pause is woken by a timer.
func Pause(d time.Duration) {
	up := sync.NewCond(&sync.Mutex{})
	time.AfterFunc(d, up.Signal)
	up.L.Lock()
	up.Wait() // want `up can be signalled before up.Wait\(\)`
	up.L.Unlock()
}
