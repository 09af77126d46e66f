package broken

import (
	"sync/atomic"
	"time"
)

type table struct {
	version int64
	built   time.Time
}

func (t *table) Version() int64 { return t.version }

// Tables keeps the newest table that anybody has brought.
type Tables struct {
	current atomic.Pointer[table]
	latest  atomic.Pointer[table]
	swapped atomic.Pointer[table]
	owned   atomic.Pointer[table]
	in      chan *table
}

func (t *Tables) Offer(next *table) bool {
	cur := t.current.Load() // want `two goroutines can both pass the test of t.current and both set it`
	if cur != nil && cur.version >= next.version {
		return false
	}
	t.current.Store(next)
	return true
}

func (t *Tables) OfferByGetter(next *table) {
	if t.latest.Load().Version() < next.Version() { // want `two goroutines can both pass the test of t.latest and both set it`
		t.latest.Store(next)
	}
}

// OfferIfStill tries again when another one was faster.
func (t *Tables) OfferIfStill(next *table) {
	for {
		cur := t.swapped.Load()
		if cur.version >= next.version || t.swapped.CompareAndSwap(cur, next) {
			return
		}
	}
}

// run is the one goroutine that stores.
func (t *Tables) run() {
	for next := range t.in {
		if cur := t.owned.Load(); cur.built.Before(next.built) {
			t.owned.Store(next)
		}
	}
}

func StartTables() *Tables {
	t := &Tables{in: make(chan *table)}
	t.current.Store(&table{})
	go t.run()
	return t
}
