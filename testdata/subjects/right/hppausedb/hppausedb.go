// Package hppausedb pushes only while the heap is not being worked at.
package hppausedb

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

// Agenda has a heap, and a list of what has come while the first of it was run.
type Agenda struct {
	mu    sync.Mutex
	items items
	later []*item
	runs  bool
}

// New starts the agenda.
func New() *Agenda {
	a := &Agenda{}
	go a.loop()
	return a
}

// Add adds an item, or puts it off.
func (a *Agenda) Add(at time.Time, f func()) {
	it := &item{at: at, run: f}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.runs {
		a.later = append(a.later, it)
		return
	}
	heap.Push(&a.items, it)
}

func (a *Agenda) loop() {
	for range time.Tick(time.Millisecond) {
		a.mu.Lock()
		if len(a.items) > 0 && time.Now().After(a.items[0].at) {
			first := a.items[0]
			a.runs = true
			a.mu.Unlock()
			first.run()
			a.mu.Lock()
			heap.Pop(&a.items)
			a.runs = false
			a.merge()
		}
		a.mu.Unlock()
	}
}

// merge is called with the lock held.
func (a *Agenda) merge() {
	for _, it := range a.later {
		heap.Push(&a.items, it)
	}
	a.later = nil
}
