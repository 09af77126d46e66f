// Limiter admits a bounded number of uploads at a time and checks that there
// were never more.
//
// Broken, although every access is atomic: limiter.enter compares the number
// of uploads with the limit and adds one. "Load active, Add active" is expected
// to be one step.
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
	limit   = 3
	clients = 8
	uploads = 8
)

type limiter struct {
	active atomic.Int32
}

func (l *limiter) enter() bool {
	if l.active.Load() >= limit {
		return false
	}
	l.active.Add(1)
	return true
}

func (l *limiter) leave() { l.active.Add(-1) }

func main() {
	l := new(limiter)
	var inside, exceeded, done atomic.Int32
	var running sync.WaitGroup
	for range clients {
		running.Go(func() {
			for range uploads {
				for !l.enter() {
					time.Sleep(time.Duration(200+rand.IntN(300)) * time.Microsecond)
				}
				if inside.Add(1) > limit {
					exceeded.Add(1)
				}
				time.Sleep(time.Duration(300+rand.IntN(900)) * time.Microsecond)
				inside.Add(-1)
				done.Add(1)
				l.leave()
			}
		})
	}
	running.Wait()
	if n := exceeded.Load(); n > 0 {
		fmt.Printf("WRONG: %d times more than %d uploads at once\n", n, limit)
		os.Exit(1)
	}
	fmt.Printf("ok: %d uploads, at most %d at once\n", done.Load(), limit)
}
