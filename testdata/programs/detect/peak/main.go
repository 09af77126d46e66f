// Peak keeps the greatest size of a message that any connection has seen and
// checks it against the sizes that were sent.
//
// Broken, although every access is atomic: gauge.observe compares and stores.
// "Load peak, Store peak" is expected to be one step; a smaller size may
// replace a greater one.
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
	conns    = 5
	messages = 15
)

type gauge struct {
	peak atomic.Int64
}

func (g *gauge) observe(size int64) {
	if size > g.peak.Load() {
		g.peak.Store(size)
	}
}

func main() {
	wrong := 0
	for range 4 { // one gauge for each protocol
		g := new(gauge)
		sizes := make([]int64, conns)
		var running sync.WaitGroup
		for c := range conns {
			running.Go(func() {
				size := int64(0)
				for range messages {
					time.Sleep(time.Duration(100+rand.IntN(600)) * time.Microsecond)
					size += int64(rand.IntN(100)) // messages grow with time
					g.observe(size)
				}
				sizes[c] = size
			})
		}
		running.Wait()
		want := int64(0)
		for _, size := range sizes {
			want = max(want, size)
		}
		if g.peak.Load() != want {
			wrong++
		}
	}
	if wrong > 0 {
		fmt.Printf("WRONG: %d gauges are too low\n", wrong)
		os.Exit(1)
	}
	fmt.Println("ok: the gauges show the greatest size")
}
