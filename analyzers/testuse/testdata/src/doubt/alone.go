package doubt

import "sync"

// Worker is updated by one goroutine, which is started with it.
type Worker struct {
	mu    sync.RWMutex
	list  []string
	dirty bool
	wake  chan int
}

func NewWorker() *Worker {
	w := &Worker{wake: make(chan int, 1)}
	go w.work()
	return w
}

func (w *Worker) Mark(s string) {
	w.mu.Lock()
	w.dirty = true
	w.list = append(w.list, s)
	w.mu.Unlock()
}

func (w *Worker) work() {
	for range w.wake {
		w.mu.RLock()
		dirty := w.dirty // want `\(doubtful: one goroutine alone comes here\)`
		w.mu.RUnlock()
		if dirty { // what is marked after that is shown the next time
			w.mu.Lock()
			w.dirty = false
			w.mu.Unlock()
			w.show()
		}
	}
}

func (w *Worker) show() {}

// Feed is the only one that sends, so that what it finds free stays free.
func (w *Worker) Feed(all []int) {
	queue := make(chan int, len(all))
	go func() {
		for range queue {
			w.show()
		}
	}()
	for _, n := range all {
		if len(queue) < cap(queue) {
			queue <- n
		}
	}
}

type level struct {
	limit int
	names []string
}

type Levels struct {
	mu  sync.RWMutex
	all []*level
}

// Extend looks at the last of all a second time: there is nothing to doubt.
func (l *Levels) Extend(limit int) *level {
	l.mu.RLock()
	n := len(l.all)
	if n > 0 && l.all[n-1].limit == limit {
		defer l.mu.RUnlock()
		return l.all[n-1]
	}
	l.mu.RUnlock()
	fresh := &level{limit: limit}
	l.mu.Lock()
	defer l.mu.Unlock()
	n = len(l.all)
	if n > 0 && l.all[n-1].limit == limit {
		return l.all[n-1]
	}
	l.all = append(l.all, fresh)
	return fresh
}
