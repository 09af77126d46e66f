package confwatch

import (
	"bytes"
	"os"
	"sync"
	"time"
)

type Watch struct {
	path string

	mu      sync.Mutex
	cancel  chan struct{}
	content []byte
}

func Open(path string) (*Watch, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return &Watch{path: path, content: b}, nil
}

func (w *Watch) Begin(every time.Duration, changed func([]byte)) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancel != nil {
		return false
	}
	stop := make(chan struct{})
	w.cancel = stop
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(every):
			}
			b, err := os.ReadFile(w.path)
			if err == nil && w.swap(b) {
				changed(b)
			}
		}
	}()
	return true
}

func (w *Watch) swap(b []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if bytes.Equal(w.content, b) {
		return false
	}
	w.content = b
	return true
}

func (w *Watch) Cancel() {
	w.mu.Lock()
	stop := w.cancel
	w.mu.Unlock()
	if stop == nil {
		return
	}
	close(stop)
	w.mu.Lock()
	w.cancel = nil
	w.mu.Unlock()
}
