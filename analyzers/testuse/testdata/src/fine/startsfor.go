package fine

import "sync"

type Worklist struct {
	mu   sync.Mutex
	list []func()
	busy bool
}

// Push finds out and adds in one.
func (w *Worklist) Push(f func()) {
	w.mu.Lock()
	first := len(w.list) == 0 && !w.busy
	w.list = append(w.list, f)
	if first {
		w.busy = true
	}
	w.mu.Unlock()
	if first {
		go w.drain()
	}
}

func (w *Worklist) drain() {
	for {
		w.mu.Lock()
		if len(w.list) == 0 {
			w.busy = false
			w.mu.Unlock()
			return
		}
		f := w.list[0]
		w.list = w.list[1:]
		w.mu.Unlock()
		f()
	}
}
