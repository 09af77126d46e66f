package broken

import (
	"sync"
	"sync/atomic"
)

type Worklist struct {
	mu   sync.Mutex
	list []func()
}

func (w *Worklist) empty() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.list) == 0
}

func (w *Worklist) Push(f func()) {
	first := w.empty() // want `two goroutines can both find w.list empty, before either adds to it, and start a goroutine each: w.mu is released in between`
	w.mu.Lock()
	w.list = append(w.list, f)
	w.mu.Unlock()
	if first {
		go w.drain()
	}
}

func (w *Worklist) drain() {
	for {
		w.mu.Lock()
		if len(w.list) == 0 {
			w.mu.Unlock()
			return
		}
		f := w.list[0]
		w.list = w.list[1:]
		w.mu.Unlock()
		f()
	}
}

// A Lending counts in whom it has found, when the lock is released already.
type Lending struct {
	mu  sync.Mutex
	all map[string]*lent
}

type lent struct{ users atomic.Int32 }

func (l *Lending) Get(k string) *lent {
	l.mu.Lock()
	x := l.all[k]
	if x == nil {
		x = &lent{}
		l.all[k] = x
	}
	l.mu.Unlock()
	x.users.Add(1)
	return x
}

func (l *Lending) Put(k string, x *lent) {
	if x.users.Add(-1) == 0 { // want `x.users has fallen to zero, but another goroutine can find the object in l.all and count itself in`
		l.mu.Lock()
		delete(l.all, k)
		l.mu.Unlock()
	}
}
