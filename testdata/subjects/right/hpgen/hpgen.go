// Package hpgen asks for the generation of the heap before it pops.
package hpgen

import (
	"container/heap"
	"sync"
	"time"
)

type item struct {
	at  time.Time
	seq int
	run func()
	pos int
}

type items []*item

func (h items) Len() int           { return len(h) }
func (h items) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h items) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].pos, h[j].pos = i, j
}
func (h *items) Push(x any) {
	it := x.(*item)
	it.pos = len(*h)
	*h = append(*h, it)
}
func (h *items) Pop() any {
	old := *h
	it := old[len(old)-1]
	it.pos = -1
	*h = old[:len(old)-1]
	return it
}

// Plan runs what is due.
type Plan struct {
	mu    sync.Mutex
	items items
	gen   uint64 // counts the pushes
}

// New starts the plan.
func New() *Plan {
	p := &Plan{}
	go p.run()
	return p
}

// Add adds to the plan.
func (p *Plan) Add(at time.Time, f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gen++
	heap.Push(&p.items, &item{at: at, run: f})
}

func (p *Plan) run() {
	for {
		p.mu.Lock()
		if len(p.items) == 0 {
			p.mu.Unlock()
			time.Sleep(time.Millisecond)
			continue
		}
		first, gen := p.items[0], p.gen
		p.mu.Unlock()
		wait(first)
		p.mu.Lock()
		if p.gen != gen {
			p.mu.Unlock()
			continue // something was pushed: look again
		}
		heap.Pop(&p.items)
		p.mu.Unlock()
		first.run()
	}
}

func wait(it *item) { time.Sleep(time.Until(it.at)) }
