package streamgate

import (
	"errors"
	"net/http"
	"sync/atomic"
)

var ErrBusy = errors.New("streamgate: too many viewers")

type Gate struct {
	limit  int64
	inside atomic.Int64
	turned atomic.Int64
}

func NewGate(limit int64) *Gate { return &Gate{limit: limit} }

func (g *Gate) Enter() error {
	for {
		n := g.inside.Load()
		if n >= g.limit {
			g.turned.Add(1)
			return ErrBusy
		}
		if g.inside.CompareAndSwap(n, n+1) {
			return nil
		}
	}
}

func (g *Gate) Leave() { g.inside.Add(-1) }

func (g *Gate) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := g.Enter(); err != nil {
			w.Header().Set("Retry-After", "5")
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		defer g.Leave()
		next.ServeHTTP(w, r)
	})
}

func (g *Gate) Inside() int64 { return g.inside.Load() }
