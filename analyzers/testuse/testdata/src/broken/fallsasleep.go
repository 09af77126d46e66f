package broken

import (
	"container/heap"
	"sync"
	"sync/atomic"
)

// Foreman wakes its loop only when that has said that it sleeps.
type Foreman struct {
	mu     sync.Mutex
	jobs   []func()
	asleep atomic.Bool
	wake   chan struct{}
}

func (d *Foreman) Submit(job func()) {
	d.mu.Lock()
	d.jobs = append(d.jobs, job)
	d.mu.Unlock()
	if d.asleep.CompareAndSwap(true, false) {
		d.wake <- struct{}{}
	}
}

func (d *Foreman) Loop(stop <-chan struct{}) {
	for {
		var todo []func()
		d.mu.Lock()
		if len(d.jobs) > 0 {
			todo = d.jobs // want `what \(\*Foreman\)\.Submit puts into jobs between the look at it and here is told to nobody: the lock is released, and d\.asleep is set too late to be seen`
			d.jobs = nil
		}
		d.mu.Unlock()
		if len(todo) == 0 {
			d.asleep.Store(true)
			select {
			case <-d.wake:
				continue
			case <-stop:
				return
			}
		}
		for _, job := range todo {
			job()
		}
	}
}

// Agenda keeps its dates in a heap, and looks at the first of them by a method of that.
type Agenda struct {
	mu    sync.Mutex
	dates dateHeap
	idle  int32
	news  chan struct{}
}

type dateHeap []int

func (h dateHeap) Len() int           { return len(h) }
func (h dateHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h dateHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *dateHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *dateHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func (h *dateHeap) first() (int, bool) {
	if h.Len() == 0 {
		return 0, false
	}
	return heap.Pop(h).(int), true
}

func (a *Agenda) Enter(date int) {
	a.mu.Lock()
	heap.Push(&a.dates, date)
	a.mu.Unlock()
	if atomic.LoadInt32(&a.idle) == 1 {
		a.news <- struct{}{}
	}
}

func (a *Agenda) Run(seen func(int)) {
	for {
		a.mu.Lock()
		date, ok := a.dates.first() // want `what \(\*Agenda\)\.Enter puts into dates between the look at it and here is told to nobody`
		a.mu.Unlock()
		if !ok {
			atomic.StoreInt32(&a.idle, 1)
			<-a.news
			atomic.StoreInt32(&a.idle, 0)
			continue
		}
		seen(date)
	}
}
