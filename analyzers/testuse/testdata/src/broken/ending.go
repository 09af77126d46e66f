package broken

import (
	"sync"
	"sync/atomic"
)

// hand is stopped once, by whoever comes first.
type hand struct {
	stopped atomic.Bool
	chosen  atomic.Bool
	quit    chan struct{}
	gone    chan struct{}
	wg      sync.WaitGroup
}

func (w *hand) shutdown() {
	if w.stopped.Load() { // want `both pass the test of w.stopped and close w.quit twice`
		return
	}
	w.stopped.Store(true)
	w.end()
}

func (w *hand) end() {
	close(w.quit)
	w.wg.Wait()
}

func (w *hand) leave() {
	if w.chosen.CompareAndSwap(false, true) {
		close(w.gone)
	}
}

// Workers come and go.
type Workers struct {
	mu   sync.Mutex
	list map[string]*hand
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
