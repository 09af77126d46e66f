package fine

import (
	"net/http"
	"sync/atomic"
)

// exports raises the count first, and takes that back.
type exports struct {
	most   int64
	active atomic.Int64
	shown  atomic.Int64
}

func (e *exports) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if e.active.Load() >= e.most {
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	if r.Method != http.MethodGet {
		e.explain(r)
		return
	}
	for {
		n := e.active.Load()
		if n >= e.most {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		if e.active.CompareAndSwap(n, n+1) {
			break
		}
	}
	defer e.active.Add(-1)
	w.WriteHeader(http.StatusOK)
}

// explain writes about ten lines in all: nobody gives one back.
func (e *exports) explain(r *http.Request) {
	if e.shown.Load() < 10 {
		if r.UserAgent() != "" {
			e.shown.Add(1)
		}
	}
}
