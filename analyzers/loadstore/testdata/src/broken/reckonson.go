package broken

import (
	"sync/atomic"
	"time"
)

// pacer lets so many through by the time at which the next one is due.
type pacer struct {
	step, slack int64
	due         atomic.Int64
	size        atomic.Int64
}

func (p *pacer) take(now time.Time) bool {
	at := now.UnixNano()
	due := p.due.Load() // want `both read p.due before either stores it`
	if due < at {
		due = at
	}
	next := due + p.step
	if next-at > p.slack {
		return false
	}
	p.due.Store(next)
	return true
}

// length is worked out where it is missing.
func (p *pacer) length(of func() int64) int64 {
	n := p.size.Load()
	if n == 0 {
		n = of()
		p.size.Store(n)
	}
	return n
}

// Gate has a pacer for all who come.
type Gate struct{ pacer pacer }

func (g *Gate) Enter() bool { return g.pacer.take(time.Now()) }

func (g *Gate) Length() int64 { return g.pacer.length(func() int64 { return 4 }) }
