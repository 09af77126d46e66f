// Hits counts the requests of a small web server by status, and checks that
// none is missing.
//
// Broken: counters.record adds to the counts with no lock, from the goroutine of
// every connection. "Read, add, write" is expected to be one step.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

const (
	conns    = 5
	requests = 20
)

type counters struct {
	ok, failed int
	bytes      int64
}

func (c *counters) record(status int, size int64) {
	if status < 400 {
		c.ok++
	} else {
		c.failed++
	}
	c.bytes += size
}

func serve(c *counters, conn int) {
	for n := range requests {
		time.Sleep(time.Duration(200+rand.IntN(1000)) * time.Microsecond)
		status := 200
		if (conn+n)%5 == 0 {
			status = 503
		}
		c.record(status, 512)
	}
}

func main() {
	c := new(counters)
	var running sync.WaitGroup
	for conn := range conns {
		running.Go(func() { serve(c, conn) })
	}
	running.Wait()
	if c.ok+c.failed != conns*requests || c.bytes != conns*requests*512 {
		fmt.Printf("WRONG: %d requests and %d bytes counted, %d and %d served\n",
			c.ok+c.failed, c.bytes, conns*requests, conns*requests*512)
		os.Exit(1)
	}
	fmt.Printf("ok: %d requests\n", conns*requests)
}
