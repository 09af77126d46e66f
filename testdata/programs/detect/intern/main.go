// Intern gives each label of a time series a small number, and checks that two
// labels never share one and that a label keeps its own.
//
// Broken, although every access is locked: symbols.id looks the label up under
// the read lock and, when it is new, numbers it under the write lock without a
// second look. "Test ids[label], set ids[label]" is expected to be one step.
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
	scrapers = 4
	labels   = 24
)

type symbols struct {
	mu   sync.RWMutex
	ids  map[string]int
	next int
}

func (s *symbols) id(label string) int {
	s.mu.RLock()
	id, known := s.ids[label]
	s.mu.RUnlock()
	if known {
		return id
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	s.ids[label] = s.next
	return s.next
}

func main() {
	s := &symbols{ids: make(map[string]int)}
	var running sync.WaitGroup
	var changed atomic.Int32
	for range scrapers {
		running.Go(func() {
			for l := range labels {
				time.Sleep(time.Duration(100+rand.IntN(1100)) * time.Microsecond)
				label := fmt.Sprintf("instance=%d", l)
				first := s.id(label)
				time.Sleep(200 * time.Microsecond) // the sample is written
				if s.id(label) != first {
					changed.Add(1)
				}
			}
		})
	}
	running.Wait()
	if s.next != labels || changed.Load() > 0 {
		fmt.Printf("WRONG: %d numbers for %d labels, %d changed\n", s.next, labels, changed.Load())
		os.Exit(1)
	}
	fmt.Printf("ok: %d labels\n", labels)
}
