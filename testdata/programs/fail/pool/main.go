// Pool shares a few connections among many workers and checks that no
// connection is ever used by two workers at once and that none gets lost.
//
// Broken, although every access to free is made under the mutex: pool.get looks
// for an idle connection, releases the mutex to check that the connection is
// still alive, and takes the mutex again to remove it. "Read free, write free"
// is expected to be one step; whoever comes in between is handed the same
// connection, or has the one it just returned cut off the list.
package main

import (
	"fmt"
	"hash/crc32"
	"os"
	"sync"
	"sync/atomic"
)

const (
	workers = 6
	queries = 250
)

// A conn stands for a connection to a server; answering a query costs time.
type conn struct {
	id    int
	users atomic.Int32
}

func (c *conn) alive() bool {
	return c.id >= 0
}

// query answers, and reports whether the connection was ours alone.
func (c *conn) query(text string) (sum uint32, alone bool) {
	alone = c.users.Add(1) == 1
	table := crc32.MakeTable(crc32.Koopman)
	for range 20 {
		sum = crc32.Update(sum, table, []byte(text))
	}
	return sum, c.users.Add(-1) == 0 && alone
}

// A pool hands out connections, the one returned last first.
type pool struct {
	dialed atomic.Int32

	mu   sync.Mutex
	free []*conn
}

// get returns an idle connection, or a new one if there is none.
func (p *pool) get() *conn {
	var c *conn
	p.mu.Lock()
	n := len(p.free)
	if n > 0 {
		c = p.free[n-1]
	}
	p.mu.Unlock()

	if n == 0 || !c.alive() {
		return &conn{id: int(p.dialed.Add(1))}
	}

	p.mu.Lock()
	p.free = p.free[:n-1]
	p.mu.Unlock()
	return c
}

// put takes a connection back.
func (p *pool) put(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < workers {
		p.free = append(p.free, c)
	}
}

func main() {
	p := &pool{free: make([]*conn, 0, workers)}
	var shared, answered atomic.Int32
	var running sync.WaitGroup
	start := make(chan struct{})
	for w := range workers {
		running.Go(func() {
			<-start
			for q := range queries {
				c := p.get()
				sum, alone := c.query(fmt.Sprintf("select %d from worker %d", q, w))
				if !alone {
					shared.Add(1)
				}
				if sum != 0 {
					answered.Add(1)
				}
				p.put(c)
			}
		})
	}
	close(start)
	running.Wait()

	// Every worker holds one connection at most, so there was never a reason to
	// open more than one for each, and all of them must be back.
	dialed, idle := int(p.dialed.Load()), len(p.free)
	if shared.Load() > 0 || dialed > workers || idle != dialed {
		fmt.Printf("WRONG: %d queries met another user on their connection; %d connections opened, %d idle, for %d workers\n",
			shared.Load(), dialed, idle, workers)
		os.Exit(1)
	}
	fmt.Printf("ok: %d queries over at most %d connections, each used by one worker at a time\n", answered.Load(), workers)
}
