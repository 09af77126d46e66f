package fine

import "sync"

type stage int

const (
	preparing stage = iota
	grinding
	polishing
)

// Workshop shows what it is about. Whoever sets the next stage asks whether there is work at
// all.
type Workshop struct {
	mu    sync.Mutex
	busy  bool
	stage stage
}

func (w *Workshop) Take() {
	w.mu.Lock()
	w.busy = true
	w.stage = preparing
	w.mu.Unlock()
}

func (w *Workshop) set(next stage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.busy {
		return
	}
	w.stage = next
}

func (w *Workshop) Work(stone func()) {
	w.set(grinding)
	stone()
	w.set(polishing)
}

func Open(w *Workshop) {
	go w.Take()
	go w.Work(func() {})
}
