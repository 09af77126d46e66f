// Snapshot shows the tables of a restaurant on a board while guests come and
// go, and checks that the board never shows more guests than there are.
//
// Broken: room.board gets the slice of tables under the lock and reads its
// elements without. A guest who moves from one table to another is expected to
// be seen once.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

const (
	tables = 8
	moves  = 40
)

type room struct {
	mu     sync.Mutex
	guests []int
}

func (r *room) move(from, to int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.guests[from] > 0 {
		r.guests[from]--
		r.guests[to]++
	}
}

func (r *room) board() (total int) {
	r.mu.Lock()
	guests := r.guests
	r.mu.Unlock()
	for _, n := range guests {
		total += n
	}
	return total
}

func main() {
	r := &room{guests: make([]int, tables)}
	for i := range r.guests {
		r.guests[i] = 2
	}
	var waiting, looking sync.WaitGroup
	closed := make(chan struct{})
	off := 0
	looking.Go(func() {
		for {
			select {
			case <-closed:
				return
			case <-time.After(600 * time.Microsecond):
				if r.board() != 2*tables {
					off++
				}
			}
		}
	})
	for range 3 {
		waiting.Go(func() {
			for range moves {
				time.Sleep(time.Duration(100+rand.IntN(600)) * time.Microsecond)
				r.move(rand.IntN(tables), rand.IntN(tables))
			}
		})
	}
	waiting.Wait()
	close(closed)
	looking.Wait()
	if off > 0 {
		fmt.Printf("WRONG: the board was wrong %d times\n", off)
		os.Exit(1)
	}
	fmt.Printf("ok: %d moves\n", 3*moves)
}
