package broken

import "sync/atomic"

type bid struct {
	round int64
	out   chan string
}

// An Auction takes one bid in each round, and several can come for the same one.
type Auction struct {
	round atomic.Int64
	next  func() string
}

func (a *Auction) Offer(b *bid) {
	if a.round.Load() != b.round { // want `two goroutines can both pass the test of a.round and both add to it: two atomic operations are not one`
		return
	}
	b.out <- a.next()
	a.round.Add(1)
}
