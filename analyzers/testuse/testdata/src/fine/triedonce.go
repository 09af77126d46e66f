package fine

import (
	"sync/atomic"
	"time"
)

// Peak is how much there was at most.
type Peak struct {
	now, most  atomic.Int64
	lastChange atomic.Int64
}

// It is tried until what is there is not less.
func (p *Peak) Add(n int64) {
	now := p.now.Add(n)
	for {
		most := p.most.Load()
		if now <= most || p.most.CompareAndSwap(most, now) {
			return
		}
	}
}

// The caller is told.
func (p *Peak) Try(n int64) bool {
	most := p.most.Load()
	if n > most {
		return p.most.CompareAndSwap(most, n)
	}
	return false
}

// There is another way.
func (p *Peak) Else(n int64) {
	if most := p.most.Load(); n > most {
		if !p.most.CompareAndSwap(most, n) {
			p.Add(0)
		}
	}
}

// Who else has stored something has stored about the same.
func (p *Peak) Touch() {
	now := time.Now().Unix()
	if last := p.lastChange.Load(); now > last {
		p.lastChange.CompareAndSwap(last, now)
	}
}

// Fine is over when its time is.
type Fine struct{ until atomic.Int64 }

func (f *Fine) Over(now int64) bool {
	until := f.until.Load()
	if now > until {
		f.until.CompareAndSwap(until, 0)
		return true
	}
	return false
}
