package broken

import (
	"sync/atomic"
)

type routeTree struct {
	parts []string
}

func (t *routeTree) clone() *routeTree {
	return &routeTree{parts: append([]string(nil), t.parts...)}
}

func (t *routeTree) put(p string) { t.parts = append(t.parts, p) }

// Planner is used by many goroutines.
type Planner struct {
	tree  atomic.Pointer[routeTree]
	limit atomic.Int64
}

func (p *Planner) current() *routeTree { return p.tree.Load() }

func (p *Planner) Put(part string) {
	for {
		next := p.tree.Load().clone() // want `CompareAndSwap compares p.tree with what it is at that moment`
		next.put(part)
		if p.tree.CompareAndSwap(p.tree.Load(), next) {
			return
		}
	}
}

func (p *Planner) Drop() {
	for {
		now := p.current() // want `CompareAndSwap compares p.tree \(in p.current\) with what it is at that moment`
		next := now.clone()
		next.parts = next.parts[:0]
		if p.tree.CompareAndSwap(p.tree.Load(), next) {
			return
		}
	}
}

func (p *Planner) Raise(n int64) {
	if n <= p.limit.Load() { // want `CompareAndSwap compares p.limit with what it is at that moment`
		return
	}
	p.limit.CompareAndSwap(p.limit.Load(), n)
}

// ClaimBook is used by many goroutines.
type ClaimBook struct {
	busy map[string]uint32
}

func (b *ClaimBook) claim(name string) bool {
	busy, ok := b.busy[name] // want `CompareAndSwapUint32 works on a copy of b.busy\[name\] that only this goroutine has`
	if !ok {
		return true
	}
	if atomic.CompareAndSwapUint32(&busy, 0, 1) {
		b.busy[name] = 1
		return true
	}
	return false
}

func (b *ClaimBook) work(name string, do func()) {
	do()
	if busy, ok := b.busy[name]; ok {
		atomic.StoreUint32(&busy, 0)
		b.busy[name] = 0
	}
}

// RunAll comes again and again.
func (b *ClaimBook) RunAll(names []string, do func()) {
	for _, n := range names {
		if b.claim(n) {
			go b.work(n, do)
		}
	}
}

// Wicket is used by many goroutines.
type Wicket struct {
	state int32
}

func (t *Wicket) Enter() bool {
	state := t.state // want `CompareAndSwapInt32 works on a copy of t.state that only this goroutine has`
	return atomic.CompareAndSwapInt32(&state, 0, 1)
}

func (t *Wicket) Leave() { t.state = 0 }
