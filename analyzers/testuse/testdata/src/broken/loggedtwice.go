package broken

import "sync/atomic"

// A cataloger is no log, and who is warned does something.
type cataloger struct{ warned func(int64) }

func (c *cataloger) add(n int64) { c.warned(n) }

type Throttle struct {
	cataloger *cataloger
	last      atomic.Int64
}

func (t *Throttle) Pass(now int64) {
	if last := t.last.Load(); now-last > 60 { // want `two goroutines can both pass the test of t.last and both set it: two atomic operations are not one`
		t.cataloger.add(last)
		t.last.Store(now)
	}
}
