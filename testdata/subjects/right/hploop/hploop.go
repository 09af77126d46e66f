// Package hploop has a heap of one goroutine; the lock is for those who ask how long it is.
package hploop

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

// Timers run functions in time.
type Timers struct {
	mu    sync.Mutex
	items items
	add   chan *item
}

// New starts the loop, which alone pushes and pops.
func New() *Timers {
	t := &Timers{add: make(chan *item, 8)}
	go t.loop()
	return t
}

// After runs f in a while.
func (t *Timers) After(d time.Duration, f func()) { t.add <- &item{at: time.Now().Add(d), run: f} }

// Len is how many there are.
func (t *Timers) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.items)
}

func (t *Timers) push(it *item) {
	t.mu.Lock()
	defer t.mu.Unlock()
	heap.Push(&t.items, it)
}

func (t *Timers) fire(it *item) { it.run() }

func (t *Timers) due() {
	for {
		t.mu.Lock()
		if len(t.items) == 0 {
			t.mu.Unlock()
			return
		}
		first := t.items[0]
		t.mu.Unlock()
		if first.at.After(time.Now()) {
			return
		}
		t.fire(first)
		t.mu.Lock()
		heap.Pop(&t.items)
		t.mu.Unlock()
	}
}

func (t *Timers) loop() {
	tick := time.NewTicker(time.Millisecond)
	for {
		select {
		case it := <-t.add:
			t.push(it)
		case <-tick.C:
			t.due()
		}
	}
}
