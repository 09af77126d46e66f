package upstreamcost

import (
	"math"
	"sync/atomic"
	"time"
)

const decay = 0.2

type Cost struct {
	bits atomic.Uint64
	seen atomic.Int64
}

func (c *Cost) Value() float64 { return math.Float64frombits(c.bits.Load()) }

func (c *Cost) Observe(d time.Duration) {
	ms := float64(d) / float64(time.Millisecond)
	mean := c.Value()
	switch {
	case mean == 0:
		mean = ms
	default:
		mean += decay * (ms - mean)
	}
	c.bits.Store(math.Float64bits(mean))
	c.seen.Add(1)
}

type Upstream struct {
	Addr string
	cost Cost
}

type Picker struct {
	ups []*Upstream
}

func NewPicker(addrs ...string) *Picker {
	p := &Picker{}
	for _, a := range addrs {
		p.ups = append(p.ups, &Upstream{Addr: a})
	}
	return p
}

func (p *Picker) Pick() *Upstream {
	var best *Upstream
	for _, u := range p.ups {
		if best == nil || u.cost.Value() < best.cost.Value() {
			best = u
		}
	}
	return best
}

// Do runs fn against the cheapest upstream. Safe for concurrent use.
func (p *Picker) Do(fn func(addr string) error) error {
	u := p.Pick()
	start := time.Now()
	err := fn(u.Addr)
	u.cost.Observe(time.Since(start))
	return err
}
