package broken

import "sync"

type stage int

const (
	unclaimed stage = iota
	underway
)

type bundle struct {
	id    string
	stage stage
	owner *Bundles
}

// A Bundles hands bundles to couriers.
type Bundles struct {
	mu      sync.Mutex
	bundles []*bundle
}

func (d *Bundles) Take(load func(string) error) *bundle {
	var next *bundle
	d.mu.Lock()
	for _, p := range d.bundles {
		if p.stage != unclaimed { // want `two goroutines can both find the same bundle by its stage and set it: d.mu is released in between`
			continue
		}
		next = p
		break
	}
	d.mu.Unlock()
	if next == nil || load(next.id) != nil {
		return nil
	}
	d.mark(next, underway)
	return next
}

func (d *Bundles) mark(p *bundle, to stage) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p.stage = to
}

func (d *Bundles) unowned() *bundle {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range d.bundles {
		if p.owner == nil { // want `two goroutines can both find the same bundle by its owner and set it: d.mu is released in between \(the look is in \(\*Bundles\).unowned\)`
			return p
		}
	}
	return nil
}

func (d *Bundles) Own() *bundle {
	p := d.unowned()
	if p == nil {
		return nil
	}
	d.mu.Lock()
	p.owner = d
	d.mu.Unlock()
	return p
}

// A Rack gives out places by their number.
type Racks struct {
	sync.RWMutex
	places []struct{ busy bool }
}

func (r *Racks) Occupy() int {
	free := -1
	r.RLock()
	for i, p := range r.places {
		if !p.busy {
			free = i
		}
	}
	r.RUnlock()
	if free < 0 {
		return -1
	}
	r.Lock()
	r.places[free].busy = true
	r.Unlock()
	return free
}
