// Nodes probes the members of a cluster in turn while members leave, and checks
// that no probe panics.
//
// Broken: cluster.probe tests the number of members before it takes the lock
// under which it takes one. "Test nodes, use nodes" is expected to be one step.
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
	clusters = 12
	members  = 4
)

type cluster struct {
	mu    sync.Mutex
	nodes []string
	next  int
}

func (c *cluster) probe() string {
	if len(c.nodes) == 0 {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	return c.nodes[c.next%len(c.nodes)]
}

func (c *cluster) leave() {
	c.mu.Lock()
	c.nodes = c.nodes[:len(c.nodes)-1]
	c.mu.Unlock()
}

func probeAll(c *cluster, panics *atomic.Int32) {
	defer func() {
		if recover() != nil {
			panics.Add(1)
		}
	}()
	for c.probe() != "" {
		time.Sleep(time.Duration(100+rand.IntN(400)) * time.Microsecond)
	}
}

func main() {
	var panics atomic.Int32
	for range clusters {
		c := &cluster{nodes: make([]string, members)}
		for i := range c.nodes {
			c.nodes[i] = fmt.Sprint("node ", i)
		}
		var running sync.WaitGroup
		for range 2 {
			running.Go(func() { probeAll(c, &panics) })
		}
		for range members {
			time.Sleep(time.Duration(200+rand.IntN(600)) * time.Microsecond)
			c.leave()
		}
		running.Wait()
	}
	if n := panics.Load(); n > 0 {
		fmt.Printf("WRONG: %d probes panicked\n", n)
		os.Exit(1)
	}
	fmt.Printf("ok: %d clusters\n", clusters)
}
