package prepared

import (
	"sync"
	"sync/atomic"
)

// Gauge counts by sync/atomic, and others look at it.
type Gauge struct {
	open, peak int64
	mu         sync.Mutex
}

func (g *Gauge) Enter() {
	atomic.AddInt64(&g.open, 1)
	atomic.AddInt64(&g.peak, 1)
	g.adjust()
}

// Count is for those who come at any time.
func (g *Gauge) Count() int64 { return g.open } // want `g.open is accessed without sync/atomic here`

// adjust sets the peak afresh, where it may be alone.
func (g *Gauge) adjust() { g.peak = 0 }

func StartGauge(g *Gauge) {
	for range 2 {
		go g.Enter()
	}
}

// A Tally is counted by many goroutines and read by one.
type Tally struct {
	rows  int64
	bytes int64
	spare int64
	last  int64
}

func Count(n int) *Tally {
	t := &Tally{}
	for range n {
		go t.work()
	}
	go t.report()
	return t
}

func (t *Tally) work() {
	atomic.AddInt64(&t.rows, 1)
	atomic.AddInt64(&t.bytes, 10)
	atomic.AddInt64(&t.spare, 1)
	atomic.StoreInt64(&t.last, 5)
}

func (t *Tally) report() {
	for range 3 {
		fmt.Println(t.take(), t.swap(), t.stamp())
	}
}

func (t *Tally) take() int64 {
	n := t.rows
	t.rows = 0 // want `t.rows is accessed without sync/atomic here`
	if t.bytes > 0 {
		t.bytes = 0 // want `t.bytes is accessed without sync/atomic here`
	}
	return n
}

func (t *Tally) swap() int64 { return atomic.SwapInt64(&t.spare, 0) }

// stamp loses nothing: the last one counts.
func (t *Tally) stamp() int64 {
	n := t.last
	t.last = 0
	return n
}
