package drainflag

import (
	"net/http"
	"sync/atomic"
)

type Drainer struct {
	next     http.Handler
	draining atomic.Bool
	inflight atomic.Int64
	refused  atomic.Int64
}

func New(next http.Handler) *Drainer {
	return &Drainer{next: next}
}

// Drain makes the health check fail; requests are still served.
func (d *Drainer) Drain() {
	if !d.draining.Load() {
		d.draining.Store(true)
	}
}

func (d *Drainer) Health(w http.ResponseWriter, _ *http.Request) {
	if d.draining.Load() {
		d.refused.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusOK)
}

func (d *Drainer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.inflight.Add(1)
	defer d.inflight.Add(-1)
	if d.draining.Load() {
		w.Header().Set("Connection", "close")
	}
	d.next.ServeHTTP(w, r)
}

func (d *Drainer) InFlight() int64 { return d.inflight.Load() }
