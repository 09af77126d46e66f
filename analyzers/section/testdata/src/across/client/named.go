package client

import (
	"sync"

	"across/store"
)

// A Provider merges alerts into those that are there.
type Provider struct {
	mu     sync.Mutex
	alerts *store.Alerts
	last   string
}

func (p *Provider) Put(alerts ...*store.Alert) {
	for _, a := range alerts {
		fp := a.Fingerprint()
		if old, ok := p.alerts.Get(fp); ok { // want `two goroutines can both read p.alerts.m \(in p.alerts.Get\) before either stores it, and one update is lost: p.alerts.mu is released in between`
			a = old.Merge(a)
		}
		p.alerts.Set(a)
	}
}

func (p *Provider) Add(a *store.Alert) {
	if old, ok := p.alerts.Get(a.Labels); ok { // want `two goroutines can both read p.alerts.m \(in p.alerts.Get\) before either stores it`
		a = old.Merge(a)
	}
	p.alerts.SetByLabels(a)
}

// Copy stores under another name than it has looked for.
func (p *Provider) Copy(a, b *store.Alert) {
	if old, ok := p.alerts.Get(b.Fingerprint()); ok {
		a = old.Merge(a)
	}
	p.alerts.Set(a)
}
