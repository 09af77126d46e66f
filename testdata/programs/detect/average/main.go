// Average measures the latencies of requests, and a scraper reads sum and count
// while they are written, to show the mean. All latencies are the same, so that
// each mean must be that latency.
//
// Broken, although every access is locked: latencies.observe adds to sum in one
// critical section and to count in another. Both are expected to change in one
// step; in between, the mean is off.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

const (
	handlers = 4
	requests = 20
	latency  = 7
)

type latencies struct {
	mu    sync.Mutex
	sum   int
	count int
}

func (l *latencies) observe(ms int) {
	l.mu.Lock()
	l.sum += ms
	l.mu.Unlock()
	l.mu.Lock()
	l.count++
	l.mu.Unlock()
}

func (l *latencies) read() (sum, count int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sum, l.count
}

func main() {
	l := new(latencies)
	var handling, scraping sync.WaitGroup
	stop := make(chan struct{})
	off := 0
	scraping.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				if sum, count := l.read(); sum != count*latency {
					off++
				}
			}
		}
	})
	for range handlers {
		handling.Go(func() {
			for range requests {
				time.Sleep(time.Duration(300+rand.IntN(1200)) * time.Microsecond)
				l.observe(latency)
			}
		})
	}
	handling.Wait()
	close(stop)
	scraping.Wait()
	if off > 0 {
		fmt.Printf("WRONG: %d means were not %d\n", off, latency)
		os.Exit(1)
	}
	fmt.Printf("ok: %d requests\n", handlers*requests)
}
