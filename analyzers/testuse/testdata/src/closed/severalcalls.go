package closed

import "sync"

// CallsWatcher tells in its comments that it can be ended again, and does not keep to it.
type CallsWatcher struct {
	mu   sync.Mutex
	over bool
	halt chan struct{}
	gone chan struct{}
}

// Stop ends the watcher. It may be called more than once.
func (w *CallsWatcher) Stop() {
	select {
	case <-w.halt: // want `both find w.halt open and close it twice`
	default:
		close(w.halt)
	}
}

// Close may be called twice; multiple goroutines may close the watcher.
func (w *CallsWatcher) Close() {
	w.mu.Lock()
	over := w.over // want `both pass the test of w.over and close w.gone twice`
	w.mu.Unlock()
	if over {
		return
	}
	w.mu.Lock()
	w.over = true
	w.mu.Unlock()
	close(w.gone)
}

// CallsCalm keeps its word.
type CallsCalm struct {
	mu   sync.Mutex
	halt chan struct{}
}

// Stop ends the whole. It may be called more than once.
func (c *CallsCalm) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.halt:
	default:
		close(c.halt)
	}
}

// CallsRacing says that a race is known, and does no harm.
type CallsRacing struct{ halt chan struct{} }

// Stop ends it. The race is benign: one goroutine comes here.
func (r *CallsRacing) Stop() {
	select {
	case <-r.halt:
	default:
		close(r.halt)
	}
}
