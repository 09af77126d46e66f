// Tokens limits the rate of requests by a bucket of tokens that nothing refills
// during the test, and checks that no more requests passed than there were
// tokens.
//
// Broken, although every access is locked: bucket.take looks at the tokens,
// releases the lock to log a refusal, and takes the lock again to take one.
// "Test tokens, write tokens" is expected to be one step.
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
	capacity = 40
	clients  = 6
	attempts = 12
)

type bucket struct {
	mu       sync.Mutex
	tokens   int
	refusals atomic.Int32
}

func (b *bucket) take() bool {
	b.mu.Lock()
	left := b.tokens
	b.mu.Unlock()
	if left == 0 {
		b.refusals.Add(1)
		return false
	}
	b.mu.Lock()
	b.tokens = left - 1
	b.mu.Unlock()
	return true
}

func main() {
	b := &bucket{tokens: capacity}
	var passed atomic.Int32
	var running sync.WaitGroup
	for range clients {
		running.Go(func() {
			for range attempts {
				time.Sleep(time.Duration(200+rand.IntN(2200)) * time.Microsecond)
				if b.take() {
					passed.Add(1)
				}
			}
		})
	}
	running.Wait()
	if n := passed.Load(); n != capacity {
		fmt.Printf("WRONG: %d requests passed with %d tokens\n", n, capacity)
		os.Exit(1)
	}
	fmt.Printf("ok: %d passed, %d refused\n", capacity, b.refusals.Load())
}
