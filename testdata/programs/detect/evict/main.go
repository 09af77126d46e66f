// Evict removes leases that have expired while their holders renew them, and
// checks that no lease that was renewed is gone.
//
// Broken, although every access is locked: table.sweep collects what has
// expired in one critical section and deletes it in another. "Test
// expires[name], delete expires[name]" is expected to be one step.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	leases   = 6
	renewals = 12
)

type table struct {
	mu      sync.Mutex
	expires map[string]int
	clock   atomic.Int64
}

func (t *table) renew(name string) {
	t.mu.Lock()
	t.expires[name] = int(t.clock.Load()) + 2
	t.mu.Unlock()
}

func (t *table) sweep(name string) {
	t.mu.Lock()
	end, ok := t.expires[name]
	t.mu.Unlock()
	if !ok || end > int(t.clock.Load()) {
		return
	}
	t.mu.Lock()
	delete(t.expires, name)
	t.mu.Unlock()
}

func (t *table) held(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.expires[name]
	return ok
}

func main() {
	t := &table{expires: make(map[string]int)}
	var holding, sweeping sync.WaitGroup
	var lost atomic.Int32
	stop := make(chan struct{})
	sweeping.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(700 * time.Microsecond):
				t.clock.Add(1)
				for l := range leases {
					t.sweep(fmt.Sprint("lease ", l))
				}
			}
		}
	})
	for l := range leases {
		holding.Go(func() {
			name := fmt.Sprint("lease ", l)
			for range renewals {
				end := t.clock.Load() + 2
				t.renew(name)
				if !t.held(name) && t.clock.Load() < end {
					lost.Add(1)
				}
				time.Sleep(time.Duration(500+rand.IntN(2500)) * time.Microsecond)
			}
		})
	}
	holding.Wait()
	close(stop)
	sweeping.Wait()
	if n := lost.Load(); n > 0 {
		fmt.Printf("WRONG: %d leases were taken away from their holders\n", n)
		os.Exit(1)
	}
	fmt.Printf("ok: %d renewals\n", leases*renewals)
}
