// Package hpseq delivers in the order of the numbers, which are given when something is added.
package hpseq

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
func (h items) Less(i, j int) bool { return h[i].seq < h[j].seq }
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

// Outbox has the numbers under its lock, and so what is added comes behind all that is there.
type Outbox struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items items
	last  int
}

// New starts the one goroutine that delivers.
func New() *Outbox {
	o := &Outbox{}
	o.cond = sync.NewCond(&o.mu)
	go o.deliver()
	return o
}

// Add adds at the end.
func (o *Outbox) Add(f func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last++
	heap.Push(&o.items, &item{seq: o.last, at: time.Now(), run: f})
	o.cond.Signal()
}

func (o *Outbox) deliver() {
	o.mu.Lock()
	for {
		for len(o.items) == 0 {
			o.cond.Wait()
		}
		first := o.items[0]
		o.mu.Unlock()
		send(first)
		o.mu.Lock()
		heap.Pop(&o.items)
	}
}

func send(it *item) { it.run() }
