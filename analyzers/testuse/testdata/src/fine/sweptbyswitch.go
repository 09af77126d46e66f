package fine

import (
	"sync"
	"time"
)

type permit struct {
	holder string
	ends   time.Time
}

// Permits are renewed while a sweep drops those that have run out, and no others.
type Permits struct {
	byName sync.Map // name -> permit
	byNo   sync.Map // number -> *permit
	length time.Duration
}

func (p *Permits) Renew(name, holder string) {
	p.byName.Swap(name, permit{holder, time.Now().Add(p.length)})
}

func (p *Permits) Sweep(now time.Time) {
	p.byName.Range(func(k, v any) bool {
		left := v.(permit).ends.Sub(now)
		switch {
		case left > 0:
			return true
		case left > -time.Minute:
			return true
		}
		p.byName.CompareAndDelete(k, v)
		return true
	})
}

func (p *Permits) Extend(no int, by time.Duration) bool {
	v, ok := p.byNo.Load(no)
	if !ok {
		return false
	}
	old := v.(*permit)
	return p.byNo.CompareAndSwap(no, old, &permit{old.holder, time.Now().Add(by)})
}

// SweepNumbers puts back what was extended meanwhile.
func (p *Permits) SweepNumbers() {
	p.byNo.Range(func(k, v any) bool {
		if time.Now().Before(v.(*permit).ends) {
			return true
		}
		if now, ok := p.byNo.LoadAndDelete(k); ok && now != v {
			p.byNo.LoadOrStore(k, now)
		}
		return true
	})
}
