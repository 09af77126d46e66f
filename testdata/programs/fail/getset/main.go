// Getset numbers invoices from several departments and checks that no number
// is given to two invoices and that none is left out.
//
// Broken, although every access to last is made under the mutex: register.next
// reads the last number in one critical section and stores its successor in
// another. "Read last, write last" is expected to be one step; two departments
// that read the same number issue the same invoice.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"sync"
)

const (
	departments = 6
	invoices    = 150
	first       = 1001
)

type register struct {
	mu   sync.Mutex
	last int
}

// next returns a number that nobody else gets.
func (r *register) next() int {
	r.mu.Lock()
	last := r.last
	r.mu.Unlock()

	number := last + 1

	r.mu.Lock()
	r.last = number
	r.mu.Unlock()
	return number
}

type invoice struct {
	number int
	digest uint64
}

func issue(r *register, department, n int) invoice {
	number := r.next()
	digest := fnv.New64a()
	fmt.Fprintf(digest, "invoice %d of department %d: %d.%02d", number, department, n*n, n%100)
	return invoice{number, digest.Sum64()}
}

func main() {
	r := &register{last: first - 1}
	issued := make([][]invoice, departments)
	var open sync.WaitGroup
	start := make(chan struct{})
	for d := range issued {
		open.Go(func() {
			<-start
			for n := range invoices {
				issued[d] = append(issued[d], issue(r, d, n))
			}
		})
	}
	close(start)
	open.Wait()

	var numbers []int
	for _, department := range issued {
		for _, i := range department {
			numbers = append(numbers, i.number)
		}
	}
	slices.Sort(numbers)
	distinct := len(slices.Compact(slices.Clone(numbers)))
	highest := numbers[len(numbers)-1]
	if distinct != len(numbers) || highest != first+len(numbers)-1 {
		fmt.Printf("WRONG: %d invoices bear %d different numbers, the highest %d\n", len(numbers), distinct, highest)
		os.Exit(1)
	}
	fmt.Printf("ok: %d invoices, numbers %d to %d\n", len(numbers), numbers[0], highest)
}
