package broken

import (
	"sync"
	"time"
)

type permit struct {
	holder string
	ends   time.Time
}

// Permits are renewed while a sweep drops those that have run out.
type Permits struct {
	byName sync.Map // name -> permit
	byNo   sync.Map // number -> *permit
	lapsed int
	length time.Duration
}

func (p *Permits) Renew(name, holder string) {
	p.byName.Swap(name, permit{holder, time.Now().Add(p.length)})
}

func (p *Permits) Sweep(now time.Time) {
	p.byName.Range(func(k, v any) bool {
		left := v.(permit).ends.Sub(now)
		switch {
		case left > 0: // want `what is deleted from Permits.byName\[\] can be a fresh entry, which \(\*Permits\).Renew has stored`
			return true
		case left > -time.Minute:
			return true
		}
		p.byName.Delete(k)
		return true
	})
}

// Extend puts a longer permit in the place of the one that it has found.
func (p *Permits) Extend(no int, by time.Duration) bool {
	v, ok := p.byNo.Load(no)
	if !ok {
		return false
	}
	old := v.(*permit)
	return p.byNo.CompareAndSwap(no, old, &permit{old.holder, time.Now().Add(by)})
}

func (p *Permits) SweepNumbers() {
	p.byNo.Range(func(k, v any) bool {
		if time.Now().Before(v.(*permit).ends) { // want `what is deleted from Permits.byNo\[\] can be a fresh entry, which \(\*Permits\).Extend has stored`
			return true
		}
		if _, ok := p.byNo.LoadAndDelete(k); ok {
			p.lapsed++
		}
		return true
	})
}
