package doublechecked

import (
	"net/http"
	"sync"
)

// A CountingExporter counts once, what costs much, for whatever request is the first.
type CountingExporter struct {
	mu    sync.Mutex
	total int
	known int
	other int
}

func NewCountingExporter() *CountingExporter { return &CountingExporter{total: -1} }

func countEverything(r *http.Request) (int, error) { return len(r.URL.Path), r.Context().Err() }

func (e *CountingExporter) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if e.total < 0 { // want `e.total is tested here without e.mu, with which it is set below: another goroutine that comes here can set it meanwhile`
			n, err := countEverything(r)
			if err == nil {
				e.mu.Lock()
				e.total = n
				e.mu.Unlock()
			}
		}
		e.mu.Lock()
		known := e.known < 0
		e.mu.Unlock()
		if known {
			n, err := countEverything(r)
			if err == nil {
				e.mu.Lock()
				e.known = n
				e.mu.Unlock()
			}
		}
		if e.other < 0 { // another lock's
			n, err := countEverything(r)
			if err == nil {
				e.mu.Lock()
				e.other = n
				e.mu.Unlock()
			}
		}
	})
}

// Reset sets it without the lock.
func (e *CountingExporter) Reset() { e.other = -1 }

// A LineReader is read by one, and asked for its error by others.
type LineReader struct {
	mu  sync.Mutex
	err error
	in  func() (string, error)
}

func (l *LineReader) Next() (string, error) {
	if l.err != nil {
		return "", l.err
	}
	line, err := l.in()
	if err != nil {
		l.mu.Lock()
		l.err = err
		l.mu.Unlock()
	}
	return line, err
}

func (l *LineReader) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
