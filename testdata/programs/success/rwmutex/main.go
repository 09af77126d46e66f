// Rwmutex sells the seats of a theatre from several box offices and checks
// that no seat is sold twice.
//
// theatre.book looks under the read lock first, since most seats asked for are
// sold, and having found a free one looks again under the write lock.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"sync"
)

const (
	offices = 5
	seats   = 80
)

type theatre struct {
	mu    sync.RWMutex
	taken map[int]string // seat to ticket
}

// book takes the seat for the holder of the ticket, if it is free.
func (t *theatre) book(seat int, ticket string) bool {
	t.mu.RLock()
	_, sold := t.taken[seat]
	t.mu.RUnlock()
	if sold {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, sold := t.taken[seat]; sold {
		return false
	}
	t.taken[seat] = ticket
	return true
}

// An office serves a queue of customers who all want the best seat left.
type office struct {
	name string
	sold map[int]string
}

func (o *office) serve(t *theatre) {
	for seat := range seats {
		number := fnv.New64a()
		fmt.Fprintf(number, "%s, row %d, seat %d", o.name, seat/20, seat%20)
		ticket := fmt.Sprintf("%s-%016x", o.name, number.Sum64())
		if t.book(seat, ticket) {
			o.sold[seat] = ticket
		}
	}
}

func main() {
	t := &theatre{taken: make(map[int]string)}
	var open sync.WaitGroup
	start := make(chan struct{})
	all := make([]*office, offices)
	for i := range all {
		o := &office{name: fmt.Sprintf("office%d", i), sold: make(map[int]string)}
		all[i] = o
		open.Go(func() {
			<-start
			o.serve(t)
		})
	}
	close(start)
	open.Wait()

	sold, void := 0, 0
	for _, o := range all {
		for seat, ticket := range o.sold {
			sold++
			if t.taken[seat] != ticket {
				void++
			}
		}
	}
	if sold != seats || void > 0 {
		fmt.Printf("WRONG: %d tickets sold for %d seats, %d of them void\n", sold, seats, void)
		os.Exit(1)
	}
	fmt.Printf("ok: %d seats sold, each once\n", sold)
}
