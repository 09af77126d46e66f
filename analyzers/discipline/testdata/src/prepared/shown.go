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
