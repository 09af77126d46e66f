// Robin spreads requests over backends in turn and checks that each got its
// share.
//
// Broken: balancer.pick advances next with no lock. "Read next, write next" is
// expected to be one step; two requests go to the same backend.
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
	backends = 4
	clients  = 5
	requests = 16
)

type backend struct {
	served atomic.Int32
}

type balancer struct {
	pool []*backend
	next int
}

func (b *balancer) pick() *backend {
	chosen := b.pool[b.next]
	b.next = (b.next + 1) % len(b.pool)
	return chosen
}

func main() {
	b := new(balancer)
	for range backends {
		b.pool = append(b.pool, new(backend))
	}
	var running sync.WaitGroup
	for range clients {
		running.Go(func() {
			for range requests {
				time.Sleep(time.Duration(200+rand.IntN(1000)) * time.Microsecond)
				b.pick().served.Add(1)
			}
		})
	}
	running.Wait()
	for i, backend := range b.pool {
		if n := backend.served.Load(); n != clients*requests/backends {
			fmt.Printf("WRONG: backend %d served %d requests of %d\n", i, n, clients*requests)
			os.Exit(1)
		}
	}
	fmt.Printf("ok: %d requests each\n", clients*requests/backends)
}
