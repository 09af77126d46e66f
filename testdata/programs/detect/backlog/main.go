// Backlog has workers take jobs from a list until it is empty, and checks that
// each job was done and no worker found the list empty after it had looked.
//
// Broken, although every access is locked: the worker asks size, which locks,
// and then calls pop, which locks again. "Test jobs, use jobs" is expected to be
// one step.
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
	workers = 4
	batches = 10
	jobs    = 9
)

type backlog struct {
	mu   sync.Mutex
	jobs []int
}

func (b *backlog) size() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.jobs)
}

// pop panics if there is no job.
func (b *backlog) pop() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	job := b.jobs[0]
	b.jobs = b.jobs[1:]
	return job
}

func work(b *backlog, done, panics *atomic.Int32) {
	defer func() {
		if recover() != nil {
			panics.Add(1)
		}
	}()
	for b.size() > 0 {
		b.pop()
		done.Add(1)
		time.Sleep(time.Duration(100+rand.IntN(900)) * time.Microsecond)
	}
}

func main() {
	var done, panics atomic.Int32
	for range batches {
		b := &backlog{jobs: make([]int, jobs)}
		var running sync.WaitGroup
		for range workers {
			running.Go(func() { work(b, &done, &panics) })
		}
		running.Wait()
	}
	if panics.Load() > 0 || done.Load() != batches*jobs {
		fmt.Printf("WRONG: %d jobs done, %d workers panicked\n", done.Load(), panics.Load())
		os.Exit(1)
	}
	fmt.Printf("ok: %d jobs\n", done.Load())
}
