package fine

import (
	"sync"
	"sync/atomic"
)

type roadTree struct {
	parts []string
}

func (t *roadTree) clone() *roadTree {
	return &roadTree{parts: append([]string(nil), t.parts...)}
}

func (t *roadTree) put(p string) { t.parts = append(t.parts, p) }

// RoadPlanner is used by many goroutines.
type RoadPlanner struct {
	mu    sync.Mutex
	tree  atomic.Pointer[roadTree]
	seen  atomic.Int64
	state int32
}

func (p *RoadPlanner) Put(part string) {
	for {
		now := p.tree.Load()
		next := now.clone()
		next.put(part)
		if p.tree.CompareAndSwap(now, next) {
			return
		}
	}
}

// Add is one of several.
func (p *RoadPlanner) Add(part string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	next := p.tree.Load().clone()
	next.put(part)
	p.tree.CompareAndSwap(p.tree.Load(), next)
}

// Again loads afresh what it makes the next one of.
func (p *RoadPlanner) Again() {
	if len(p.tree.Load().parts) == 0 {
		println("empty")
	}
	for !p.tree.CompareAndSwap(p.tree.Load(), &roadTree{}) {
	}
}

// Sum has a count of its own for the goroutines that it starts.
func (p *RoadPlanner) Sum(lists [][]int) int32 {
	sum := p.state
	var wg sync.WaitGroup
	for range lists {
		wg.Add(1)
		go func() {
			defer wg.Done()
			atomic.AddInt32(&sum, 1)
		}()
	}
	wg.Wait()
	return sum
}

// Look works on a copy, and asks for no more.
func (p *RoadPlanner) Look() int32 {
	state := atomic.LoadInt32(&p.state)
	return atomic.LoadInt32(&state)
}

// Set is the other one.
func (p *RoadPlanner) Set() { atomic.StoreInt32(&p.state, 1) }

// Mark makes the next one of what is loaded last.
func (p *RoadPlanner) Mark(bit int64) {
	for !p.seen.CompareAndSwap(p.seen.Load(), p.seen.Load()|bit) {
	}
}
