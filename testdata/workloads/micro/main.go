// Command micro prints, in the format of benchmarks, what single operations on a shared
// variable take that nobody else is at: an update and a section of two accesses.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

type gauge struct {
	updates, peak int
}

//go:noinline
func (g *gauge) count() { g.updates++ }

// raise is a section: from the test to the store.
//
//go:noinline
func (g *gauge) raise(to int) {
	if g.peak < to {
		g.peak = to
	}
}

const times = 20_000_000

func main() {
	var wg sync.WaitGroup
	g := new(gauge)
	for i := range 2 { // what makes the fields shared, and does nothing unless there are arguments
		if len(os.Args) == 1 {
			break
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			g.count()
			g.raise(i)
		}()
	}
	wg.Wait()
	measure("Update", func() {
		for range times {
			g.count()
		}
	})
	measure("Section", func() {
		for i := range times {
			g.raise(i)
		}
	})
}

// measure runs the operations once to warm up, and then for the figures.
func measure(name string, run func()) {
	run()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	run()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	fmt.Printf("Benchmark%s %d %.3f ns/op %d allocs/op\n", name, times,
		float64(took.Nanoseconds())/times, (after.Mallocs-before.Mallocs)/times)
}
