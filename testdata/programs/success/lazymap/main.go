// Lazymap counts events by name from several goroutines, creating the counter
// of a name when it is first seen, and checks that no event is missing.
//
// registry.counter loads from a sync.Map and, finding nothing, uses LoadOrStore:
// of two goroutines that come at once, both get the counter of the first.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

const (
	sources = 4
	names   = 60
	repeat  = 2 // events of a name in a row
)

type counter struct {
	id     string
	events atomic.Int64
}

func newCounter(name string) *counter {
	id := sha256.Sum256([]byte(name))
	return &counter{id: hex.EncodeToString(id[:8])}
}

type registry struct {
	counters sync.Map // name to *counter
}

// counter returns the counter of the name, creating it the first time.
func (r *registry) counter(name string) *counter {
	if c, ok := r.counters.Load(name); ok {
		return c.(*counter)
	}
	c, _ := r.counters.LoadOrStore(name, newCounter(name))
	return c.(*counter)
}

func main() {
	r := new(registry)
	var running sync.WaitGroup
	start := make(chan struct{})
	for range sources {
		running.Go(func() {
			<-start
			for n := range names {
				name := fmt.Sprintf("event/%03d", n)
				for range repeat {
					r.counter(name).events.Add(1)
				}
			}
		})
	}
	close(start)
	running.Wait()

	known, counted := 0, int64(0)
	r.counters.Range(func(_, c any) bool {
		known++
		counted += c.(*counter).events.Load()
		return true
	})
	const want = sources * names * repeat
	if known != names || counted != want {
		fmt.Printf("WRONG: %d events counted under %d names, expected %d under %d\n", counted, known, want, names)
		os.Exit(1)
	}
	fmt.Printf("ok: %d events counted under %d names\n", counted, known)
}
