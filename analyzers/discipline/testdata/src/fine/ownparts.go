package fine

import "sync"

type tally struct{ first, last int }

// A Reader and a Writer have a tally each, and a lock for it.
type Reader struct {
	mu     sync.Mutex
	counts tally
}

type Writer struct {
	outMu  sync.Mutex
	counts tally
}

func (r *Reader) Saw(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts.first == 0 {
		r.counts.first = n
	}
	r.counts.last = n
}

func (w *Writer) Wrote(n int) {
	w.outMu.Lock()
	defer w.outMu.Unlock()
	if w.counts.first == 0 {
		w.counts.first = n
	}
	w.counts.last = n
}
