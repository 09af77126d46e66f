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

// turnstile lets people in who have come to the one with the fewest.
type turnstile struct {
	inside atomic.Int64
	others []*turnstile
}

func (t *turnstile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := t.inside.Load()
	for _, o := range t.others {
		if o.inside.Load() < n {
			return
		}
	}
	if r.Method != http.MethodGet {
		return
	}
	t.inside.Add(1)
	defer t.inside.Add(-1)
	w.WriteHeader(http.StatusOK)
}
