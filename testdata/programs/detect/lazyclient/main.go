// Lazyclient connects each region of a service when it is first used, and
// checks that each was connected once.
//
// Broken, although every access is locked: region.connect asks client, which
// locks, connects, and hands the result to setClient, which locks again. "Test
// conn, set conn" is expected to be one step.
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
	regions = 15
	callers = 3
)

type connection struct{ region string }

type region struct {
	name  string
	dials atomic.Int32

	mu   sync.Mutex
	conn *connection
}

func (r *region) client() *connection {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.conn
}

func (r *region) setClient(c *connection) {
	r.mu.Lock()
	r.conn = c
	r.mu.Unlock()
}

func (r *region) connect() *connection {
	if c := r.client(); c != nil {
		return c
	}
	r.dials.Add(1)
	c := &connection{r.name}
	r.setClient(c)
	return c
}

func main() {
	all := make([]*region, regions)
	for i := range all {
		all[i] = &region{name: fmt.Sprintf("region-%d", i)}
	}
	var running sync.WaitGroup
	for range callers {
		running.Go(func() {
			for _, r := range all {
				time.Sleep(time.Duration(100+rand.IntN(1500)) * time.Microsecond)
				r.connect()
			}
		})
	}
	running.Wait()
	for _, r := range all {
		if n := r.dials.Load(); n != 1 {
			fmt.Printf("WRONG: %s was connected %d times\n", r.name, n)
			os.Exit(1)
		}
	}
	fmt.Printf("ok: %d regions connected once each\n", regions)
}
