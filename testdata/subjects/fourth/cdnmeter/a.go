package cdnmeter

import (
	"io"
	"net/http"
	"sync/atomic"
)

type Edge struct {
	origin  http.RoundTripper
	egress  int64
	hits    int64
	quota   int64
	blocked int32
}

func NewEdge(origin http.RoundTripper, quota int64) *Edge {
	if origin == nil {
		origin = http.DefaultTransport
	}
	return &Edge{origin: origin, quota: quota}
}

func (e *Edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if atomic.LoadInt32(&e.blocked) == 1 {
		http.Error(w, "quota exceeded", http.StatusTooManyRequests)
		return
	}
	resp, err := e.origin.RoundTrip(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	w.WriteHeader(resp.StatusCode)
	n, _ := io.Copy(w, resp.Body)
	e.account(n)
}

func (e *Edge) account(n int64) {
	atomic.AddInt64(&e.hits, 1)
	total := atomic.LoadInt64(&e.egress) + n
	atomic.StoreInt64(&e.egress, total)
	if total >= e.quota {
		atomic.StoreInt32(&e.blocked, 1)
	}
}

// Usage is read by the billing exporter.
func (e *Edge) Usage() (bytes, hits int64) {
	return atomic.LoadInt64(&e.egress), atomic.LoadInt64(&e.hits)
}
