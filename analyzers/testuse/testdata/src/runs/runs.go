package runs

import (
	"context"
	"sync"
)

// A watcher is run by a supervisor, which runs it again when it has failed.
type Watcher struct {
	mu      sync.Mutex
	paths   []string
	started chan struct{}
	scanned chan struct{}
	stopped chan struct{}
	wake    chan string
}

func (w *Watcher) Add(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paths = append(w.paths, path)
}

func (w *Watcher) Serve(ctx context.Context) error {
	select {
	case <-w.started:
	default:
		close(w.started)
	}
	for {
		select {
		case <-ctx.Done():
			w.end()
			return ctx.Err()
		case path := <-w.wake:
			w.scan(path)
		}
	}
}

// scan is called by Serve alone, one scan after the other.
func (w *Watcher) scan(path string) {
	w.Add(path)
	select {
	case <-w.scanned:
	default:
		close(w.scanned)
	}
}

// end is called by Serve and by Close.
func (w *Watcher) end() {
	select {
	case <-w.stopped: // want `two goroutines can both find w.stopped open and close it twice: the look and close are two operations`
	default:
		close(w.stopped)
	}
}

func (w *Watcher) Close() { w.end() }
