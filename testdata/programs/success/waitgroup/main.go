// Waitgroup smooths a signal in rounds. In a round every worker computes its
// own part of the next signal from the whole of the present one; a WaitGroup
// separates the rounds, so no lock is needed. The result is checked against a
// plain sequential computation.
package main

import (
	"fmt"
	"os"
	"sync"
)

const (
	points  = 64
	workers = 4
	rounds  = 10
)

type filter struct {
	now, next []int
	moved     [workers]int // sum of the changes made by each worker
	total     int          // of moved, over all rounds
	rounds    int
}

func newFilter() *filter {
	f := &filter{now: make([]int, points), next: make([]int, points)}
	for i := range f.now {
		f.now[i] = i * i % 97 * 1000
	}
	return f
}

// smooth computes one worker's part.
func (f *filter) smooth(worker int) {
	const part = points / workers
	for i := worker * part; i < (worker+1)*part; i++ {
		left, right := f.now[(i+points-1)%points], f.now[(i+1)%points]
		f.next[i] = (left + 2*f.now[i] + right) / 4
		if change := f.next[i] - f.now[i]; change > 0 {
			f.moved[worker] += change
		} else {
			f.moved[worker] -= change
		}
	}
}

// turn ends a round; no worker is running.
func (f *filter) turn() {
	f.now, f.next = f.next, f.now
	for w := range f.moved {
		f.total += f.moved[w]
		f.moved[w] = 0
	}
	f.rounds++
}

func main() {
	f := newFilter()
	for range rounds {
		var running sync.WaitGroup
		for w := range workers {
			running.Add(1)
			go func() {
				defer running.Done()
				f.smooth(w)
			}()
		}
		running.Wait()
		f.turn()
	}

	want := newFilter()
	for range rounds {
		for w := range workers {
			want.smooth(w)
		}
		want.turn()
	}
	for i := range want.now {
		if f.now[i] != want.now[i] {
			fmt.Printf("WRONG: point %d is %d, expected %d\n", i, f.now[i], want.now[i])
			os.Exit(1)
		}
	}
	if f.total != want.total || f.rounds != want.rounds {
		fmt.Printf("WRONG: moved %d in %d rounds, expected %d in %d\n", f.total, f.rounds, want.total, want.rounds)
		os.Exit(1)
	}
	fmt.Printf("ok: %d points, moved %d in %d rounds\n", points, f.total, f.rounds)
}
