package broken

import (
	"container/heap"
	"sync"
)

type hamper struct {
	label string
	due   int
}

type hampers []*hamper

func (p hampers) Len() int           { return len(p) }
func (p hampers) Less(i, j int) bool { return p[i].due < p[j].due }
func (p hampers) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *hampers) Push(x any)        { *p = append(*p, x.(*hamper)) }
func (p *hampers) Pop() any {
	last := len(*p) - 1
	x := (*p)[last]
	*p = (*p)[:last]
	return x
}

// HamperDepot hands out what is due first.
type HamperDepot struct {
	mu      sync.RWMutex
	waiting hampers
	rows    []*hamper
}

func (d *HamperDepot) Find(label string) *hamper {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, p := range d.waiting {
		if p.label == label {
			return p
		}
	}
	return nil
}

func (d *HamperDepot) Deliver(p *hamper) {
	if d.Find(p.label) == nil { // want `two goroutines can both pass the test of d.waiting \(in d.Find\) and both set it`
		d.mu.Lock()
		heap.Push(&d.waiting, p)
		d.mu.Unlock()
	}
}

func (d *HamperDepot) Next() *hamper {
	if d.waiting.Len() == 0 { // want `two goroutines can both pass the test of d.waiting and both set it: d.mu is taken only afterwards`
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return heap.Pop(&d.waiting).(*hamper)
}

// The element that is looked for is kept in a local.
func (d *HamperDepot) Shelve(p *hamper) {
	d.mu.RLock()
	var there *hamper
	for _, x := range d.rows { // want `two goroutines can both pass the test of d.rows and both set it`
		if x.label == p.label {
			there = x
		}
	}
	d.mu.RUnlock()
	if there != nil {
		return
	}
	d.mu.Lock()
	d.rows = append(d.rows, p)
	d.mu.Unlock()
}
