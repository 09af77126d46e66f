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
	term     = 3 * time.Millisecond
)

type table struct {
	mu      sync.Mutex
	expires map[string]time.Time
}

func (t *table) renew(name string) {
	t.mu.Lock()
	t.expires[name] = time.Now().Add(term)
	t.mu.Unlock()
}

func (t *table) sweep(name string) {
	t.mu.Lock()
	end, ok := t.expires[name]
	t.mu.Unlock()
	if !ok || time.Now().Before(end) {
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
	t := &table{expires: make(map[string]time.Time)}
	var holding, sweeping sync.WaitGroup
	var lost atomic.Int32
	stop := make(chan struct{})
	sweeping.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(700 * time.Microsecond):
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
				end := time.Now().Add(term)
				t.renew(name)
				time.Sleep(time.Duration(200+rand.IntN(1000)) * time.Microsecond)
				if held := t.held(name); !held && time.Now().Before(end) {
					lost.Add(1)
				}
				time.Sleep(time.Duration(rand.IntN(4000)) * time.Microsecond)
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
