package broken

import "sync/atomic"

// Peak is how much there was at most.
type Peak struct{ now, most atomic.Int64 }

func (p *Peak) Add(n int64) {
	now := p.now.Add(n)
	if most := p.most.Load(); now > most { // want `now is lost if another goroutine changes p.most after it was looked at: the swap then fails, though what is there may be the lesser of the two, and is not tried again`
		p.most.CompareAndSwap(most, now)
	}
}

func (p *Peak) Log(n int64) {
	now := p.now.Add(n)
	most := p.most.Load() // want `now is lost if another goroutine changes p.most after it was looked at`
	if now > most {
		raised := p.most.CompareAndSwap(most, now)
		if raised && now/100 != most/100 {
			println("another hundred")
		}
	}
}
