// Channels passes orders from stage to stage of a workshop over channels. A
// stage changes an order without any lock, since the order is its own from the
// moment it was received until it is sent on; at the end the orders are checked
// against a plain sequential run.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"sync"
)

const (
	orders  = 60
	workers = 3 // at every stage
)

type order struct {
	number int
	total  int    // in cents
	stages int    // that have worked on it
	digest uint64 // of the work done
}

func (o *order) stamp(stage string) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%x %s %d", o.digest, stage, o.total)
	o.digest = h.Sum64()
	o.stages++
}

func price(o *order) {
	o.total += 100 + o.number*7%50
	o.stamp("price")
}

func discount(o *order) {
	if o.total > 120 {
		o.total -= o.total / 10
	}
	o.stamp("discount")
}

func tax(o *order) {
	o.total += o.total * 19 / 100
	o.stamp("tax")
}

// stage starts workers that do the work on every order of in, and returns the
// channel on which the orders go on.
func stage(in <-chan *order, work func(*order)) <-chan *order {
	out := make(chan *order)
	var busy sync.WaitGroup
	for range workers {
		busy.Go(func() {
			for o := range in {
				work(o)
				out <- o
			}
		})
	}
	go func() {
		busy.Wait()
		close(out)
	}()
	return out
}

func main() {
	in := make(chan *order)
	out := stage(stage(stage(in, price), discount), tax)
	go func() {
		defer close(in)
		for n := range orders {
			in <- &order{number: n}
		}
	}()

	seen, bad, sum := 0, 0, 0
	for o := range out {
		want := &order{number: o.number}
		price(want)
		discount(want)
		tax(want)
		if *o != *want {
			bad++
		}
		seen++
		sum += o.total
	}
	if seen != orders || bad > 0 {
		fmt.Printf("WRONG: %d of %d orders came out, %d of them wrong\n", seen, orders, bad)
		os.Exit(1)
	}
	fmt.Printf("ok: %d orders, %d cents\n", seen, sum)
}
