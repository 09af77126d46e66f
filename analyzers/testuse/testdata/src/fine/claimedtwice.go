package fine

import "sync"

type bundle struct {
	id    string
	stage int
	used  int
}

// A Bundles hands bundles to couriers.
type Bundles struct {
	mu      sync.Mutex
	bundles []*bundle
	taken   map[string]bool
}

// Take looks again.
func (d *Bundles) Take(load func(string) error) *bundle {
	var next *bundle
	d.mu.Lock()
	for _, p := range d.bundles {
		if p.stage == 0 {
			next = p
			break
		}
	}
	d.mu.Unlock()
	if next == nil || load(next.id) != nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if next.stage != 0 {
		return nil
	}
	next.stage = 1
	return next
}

// Claim says at once whose it is.
func (d *Bundles) Claim() *bundle {
	var next *bundle
	d.mu.Lock()
	for _, p := range d.bundles {
		if p.stage == 0 && !d.taken[p.id] {
			next = p
			d.taken[p.id] = true
			break
		}
	}
	d.mu.Unlock()
	if next != nil {
		d.mu.Lock()
		next.stage = 1
		d.mu.Unlock()
	}
	return next
}

// Least is about which is used least: two may take the same one.
func (d *Bundles) Least(n int) *bundle {
	var least *bundle
	d.mu.Lock()
	for _, p := range d.bundles {
		if p.used < n {
			least = p
		}
	}
	d.mu.Unlock()
	if least != nil {
		d.mu.Lock()
		least.used = n
		d.mu.Unlock()
	}
	return least
}

// A BundleDispatcher is the only one who gives bundles out.
type BundleDispatcher struct {
	mu      sync.Mutex
	bundles []*bundle
}

func NewBundleDispatcher(wake <-chan struct{}, out chan<- *bundle) *BundleDispatcher {
	d := &BundleDispatcher{}
	go func() {
		for range wake {
			if p := d.next(); p != nil {
				out <- p
			}
		}
	}()
	return d
}

func (d *BundleDispatcher) next() *bundle {
	var next *bundle
	d.mu.Lock()
	for _, p := range d.bundles {
		if p.stage == 0 {
			next = p
			break
		}
	}
	d.mu.Unlock()
	if next == nil {
		return nil
	}
	d.mu.Lock()
	next.stage = 1
	d.mu.Unlock()
	return next
}

func (d *BundleDispatcher) Done(p *bundle) {
	d.mu.Lock()
	p.stage = 2
	d.mu.Unlock()
}
