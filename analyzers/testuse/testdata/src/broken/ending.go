package broken

import (
	"sync"
	"sync/atomic"
)

// worker is stopped once, by whoever comes first.
type worker struct {
	stopped atomic.Bool
	chosen  atomic.Bool
	quit    chan struct{}
	gone    chan struct{}
	wg      sync.WaitGroup
}

func (w *worker) shutdown() {
	if w.stopped.Load() { // want `both pass the test of w.stopped and both set it`
		return
	}
	w.stopped.Store(true)
	w.end()
}

func (w *worker) end() {
	close(w.quit)
	w.wg.Wait()
}

func (w *worker) leave() {
	if w.chosen.CompareAndSwap(false, true) {
		close(w.gone)
	}
}

// Workers come and go.
type Workers struct {
	mu   sync.Mutex
	list map[string]*worker
}

// End can be called by two for one name.
func (s *Workers) End(name string) {
	s.mu.Lock()
	w := s.list[name]
	s.mu.Unlock()
	if w != nil {
		w.shutdown()
		w.leave()
	}
}
