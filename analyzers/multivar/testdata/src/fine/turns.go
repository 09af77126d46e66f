package fine

import "sync"

// Writers swap their buffers, over and over.
type Writers struct {
	mu    sync.Mutex
	rate  float64
	bytes int
}

func (w *Writers) Run(next func() int) {
	for {
		n := next()
		w.mu.Lock()
		w.rate = float64(n)
		w.bytes += n
		w.mu.Unlock()
	}
}

func (w *Writers) Stats() (float64, int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rate, w.bytes
}
