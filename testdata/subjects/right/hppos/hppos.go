// Package hppos knows of each item where it is in the heap.
package hppos

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

// Queue runs what is due.
type Queue struct {
	mu    sync.Mutex
	items items
}

// New starts the queue.
func New() *Queue {
	q := &Queue{}
	go q.run()
	return q
}

// Add adds an item.
func (q *Queue) Add(at time.Time, f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.items, &item{at: at, run: f})
}

func (q *Queue) run() {
	for {
		q.mu.Lock()
		if len(q.items) == 0 {
			q.mu.Unlock()
			time.Sleep(time.Millisecond)
			continue
		}
		head := q.items[0]
		q.mu.Unlock()
		wait(head)
		q.mu.Lock()
		still := head.pos == 0
		if still {
			heap.Pop(&q.items)
		}
		q.mu.Unlock()
		if still {
			head.run()
		}
	}
}

func wait(it *item) { time.Sleep(time.Until(it.at)) }
