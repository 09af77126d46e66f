// Flight lets only one of several requests for the same page fetch it, while
// the others wait for its result, and checks that no page was fetched twice at
// a time.
//
// Broken, although every access is locked: group.do looks for a fetch under way
// in one critical section and enters its own in another. "Test calls[page], set
// calls[page]" is expected to be one step.
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
	clients = 5
	pages   = 16
)

type call struct {
	done chan struct{}
	body string
}

type group struct {
	mu      sync.Mutex
	calls   map[string]*call
	fetches atomic.Int32
}

func (g *group) do(page string) string {
	g.mu.Lock()
	c, underWay := g.calls[page]
	g.mu.Unlock()
	if underWay {
		<-c.done
		return c.body
	}
	c = &call{done: make(chan struct{})}
	g.mu.Lock()
	g.calls[page] = c
	g.mu.Unlock()
	c.body = g.fetch(page)
	close(c.done)
	return c.body
}

func (g *group) fetch(page string) string {
	g.fetches.Add(1)
	time.Sleep(500 * time.Microsecond)
	return "<title>" + page + "</title>"
}

func main() {
	g := &group{calls: make(map[string]*call)}
	var running sync.WaitGroup
	for range clients {
		running.Go(func() {
			for p := range pages {
				time.Sleep(time.Duration(100+rand.IntN(2000)) * time.Microsecond)
				g.do(fmt.Sprintf("/page/%d", p))
			}
		})
	}
	running.Wait()
	if n := g.fetches.Load(); n != pages {
		fmt.Printf("WRONG: %d fetches of %d pages\n", n, pages)
		os.Exit(1)
	}
	fmt.Printf("ok: %d pages fetched once each\n", pages)
}
