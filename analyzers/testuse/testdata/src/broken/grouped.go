package broken

import "sync"

// Pantry groups its fields, and its lock, in structs of their own.
type Pantry struct {
	guard struct{ mu sync.Mutex }
	state pantryState
}

type pantryState struct {
	best    *rackful
	changes int
	full    bool
	sealed  chan struct{}
	orders  []*parcel
	cook    func(*parcel)
}

type rackful struct{ jars int }

type parcel struct {
	taken bool
	dish  string
}

func (p *Pantry) best() *rackful {
	p.guard.mu.Lock()
	defer p.guard.mu.Unlock()
	return p.state.best
}

// Best keeps the rackful with the most jars.
func (p *Pantry) Best(s *rackful) {
	if best := p.best(); best == nil || best.jars < s.jars { // want `two goroutines can both pass the test of p.state.best \(in p.best\) and both set it: p.guard.mu is released in between`
		p.guard.mu.Lock()
		defer p.guard.mu.Unlock()
		p.state.best = s
		p.state.changes++
	}
}

func (p *Pantry) Seal() {
	p.guard.mu.Lock()
	full := p.state.full // want `two goroutines can both pass the test of p.state.full and close p.state.sealed twice`
	p.guard.mu.Unlock()
	if !full {
		p.guard.mu.Lock()
		p.state.full = true
		p.guard.mu.Unlock()
		close(p.state.sealed)
	}
}

func (p *Pantry) Serve(cooks int) {
	var all sync.WaitGroup
	for range cooks {
		all.Go(func() {
			for o := p.next(); o != nil; o = p.next() {
				p.state.cook(o)
			}
		})
	}
	all.Wait()
}

// next is run by goroutines of a loop, which have the orders in common.
func (p *Pantry) next() *parcel {
	var next *parcel
	p.guard.mu.Lock()
	for _, o := range p.state.orders {
		if !o.taken { // want `two goroutines can both find the same parcel by its taken and set it: p.guard.mu is released in between`
			next = o
			break
		}
	}
	p.guard.mu.Unlock()
	if next == nil {
		return nil
	}
	println("cooking", next.dish)
	p.guard.mu.Lock()
	next.taken = true
	p.guard.mu.Unlock()
	return next
}
