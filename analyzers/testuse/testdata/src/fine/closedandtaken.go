package fine

import "sync"

// Whistles are taken out when they are closed, all of them too.
type Whistles struct {
	mu     sync.Mutex
	byName map[string]chan int
}

func (w *Whistles) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name := range w.byName {
		close(w.byName[name])
		delete(w.byName, name)
	}
}

func (w *Whistles) Mount(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.byName[name]; ok {
		close(w.byName[name])
	}
	w.byName[name] = make(chan int)
}
