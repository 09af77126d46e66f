// Election lets the replicas of a shard volunteer for its lead when nobody has
// it, and checks that each term has one leader.
//
// Broken, although every access is locked: shard.volunteer asks leader, which
// takes the read lock, and becomes it under the write lock. "Test lead, set
// lead" is expected to be one step.
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
	replicas = 4
	terms    = 20
)

type shard struct {
	mu   sync.RWMutex
	lead string
}

func (s *shard) leader() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.lead
}

// volunteer reports whether the replica has the lead now.
func (s *shard) volunteer(replica string) bool {
	if s.leader() != "" {
		return false
	}
	s.mu.Lock()
	s.lead = replica
	s.mu.Unlock()
	return true
}

func main() {
	twice := 0
	for range terms {
		s := new(shard)
		var leaders atomic.Int32
		var running sync.WaitGroup
		for r := range replicas {
			running.Go(func() {
				time.Sleep(time.Duration(100+rand.IntN(1500)) * time.Microsecond) // the election timeout
				if s.volunteer(fmt.Sprint("replica ", r)) {
					leaders.Add(1)
				}
			})
		}
		running.Wait()
		if leaders.Load() != 1 {
			twice++
		}
	}
	if twice > 0 {
		fmt.Printf("WRONG: %d of %d terms had several leaders\n", twice, terms)
		os.Exit(1)
	}
	fmt.Printf("ok: %d terms, one leader each\n", terms)
}
