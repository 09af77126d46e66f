package broken

import (
	"net/http"
	"sync/atomic"
)

// uploads serves a few at a time.
type uploads struct {
	most   int64
	active atomic.Int64
}

func (u *uploads) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if u.active.Load() >= u.most { // want `two goroutines can both pass the test of u.active`
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	if r.Method != http.MethodPut {
		http.Error(w, "put it", http.StatusMethodNotAllowed)
		return
	}
	u.active.Add(1)
	defer u.active.Add(-1)
	w.WriteHeader(http.StatusCreated)
}

// downloads asks by a method.
type downloads struct {
	most   int64
	active atomic.Int64
}

func (d *downloads) free() bool { return d.active.Load() < d.most }
func (d *downloads) enter()     { d.active.Add(1) }
func (d *downloads) leave()     { d.active.Add(-1) }

func (d *downloads) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !d.free() { // want `two goroutines can both pass the test of d.active`
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	if r.URL.Path == "" {
		return
	}
	d.enter()
	defer d.leave()
	w.WriteHeader(http.StatusOK)
}
