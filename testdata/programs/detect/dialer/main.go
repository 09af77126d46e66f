// Dialer shares connections to a database, at most so many at a time, and
// checks that there were never more.
//
// Broken, although every access is locked: pool.get finds that there is room
// for a connection, releases the lock to open it, and counts it after that.
// "Test open, write open" is expected to be one step.
package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	limit   = 4
	clients = 8
	queries = 6
)

type conn struct{ id int }

type pool struct {
	mu     sync.Mutex
	open   int
	dialed atomic.Int32
}

var errBusy = errors.New("too many connections")

func (p *pool) get() (*conn, error) {
	p.mu.Lock()
	full := p.open >= limit
	p.mu.Unlock()
	if full {
		return nil, errBusy
	}
	c := &conn{int(p.dialed.Add(1))}
	p.mu.Lock()
	p.open++
	p.mu.Unlock()
	return c, nil
}

func (p *pool) put(*conn) {
	p.mu.Lock()
	p.open--
	p.mu.Unlock()
}

func main() {
	p := new(pool)
	var inUse, exceeded atomic.Int32
	var running sync.WaitGroup
	for range clients {
		running.Go(func() {
			for range queries {
				c, err := p.get()
				for err != nil {
					time.Sleep(time.Duration(300+rand.IntN(700)) * time.Microsecond)
					c, err = p.get()
				}
				if inUse.Add(1) > limit {
					exceeded.Add(1)
				}
				time.Sleep(time.Duration(500+rand.IntN(900)) * time.Microsecond) // the query
				inUse.Add(-1)
				p.put(c)
			}
		})
	}
	running.Wait()
	if n := exceeded.Load(); n > 0 {
		fmt.Printf("WRONG: %d queries had a connection too many\n", n)
		os.Exit(1)
	}
	fmt.Printf("ok: %d queries\n", clients*queries)
}
