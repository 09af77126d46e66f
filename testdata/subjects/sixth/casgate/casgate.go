// Package casgate bounds how many requests a server handles at once.
package casgate

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"
)

var ErrFull = errors.New("casgate: too many requests in flight")

type Option func(*Gate)

func WithObserver(fn func(inflight, limit int64)) Option {
	return func(g *Gate) { g.observe = fn }
}

type Gate struct {
	limit    atomic.Int64
	inflight atomic.Int64
	rejected atomic.Uint64
	observe  func(inflight, limit int64)
}

func New(limit int64, opts ...Option) *Gate {
	g := &Gate{}
	g.limit.Store(limit)
	for _, o := range opts {
		o(g)
	}
	return g
}

// SetLimit changes the bound; requests in flight are not interrupted.
func (g *Gate) SetLimit(n int64) {
	if old := g.limit.Swap(n); old != n {
		slog.Info("casgate: limit changed", "from", old, "to", n)
	}
}

// TryEnter admits the caller if there is room.
func (g *Gate) TryEnter() bool {
	for {
		cur := g.inflight.Load()
		limit := g.limit.Load()
		if cur >= limit {
			g.rejected.Add(1)
			return false
		}
		if !g.inflight.CompareAndSwap(cur, cur+1) {
			continue
		}
		if g.observe != nil {
			g.observe(cur+1, limit)
		}
		return true
	}
}

// Leave gives back what TryEnter or Enter took.
func (g *Gate) Leave() {
	if n := g.inflight.Add(-1); n < 0 {
		panic("casgate: Leave without Enter")
	}
}

// Enter retries for as long as the context allows.
func (g *Gate) Enter(ctx context.Context) error {
	if g.TryEnter() {
		return nil
	}
	pause := time.Millisecond
	t := time.NewTimer(pause)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return errors.Join(ErrFull, ctx.Err())
		case <-t.C:
			if g.TryEnter() {
				return nil
			}
			pause = min(2*pause, 50*time.Millisecond)
			t.Reset(pause)
		}
	}
}

// Handler wraps next so that it answers 503 when the gate is full.
func (g *Gate) Handler(patience time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		err := g.Enter(ctx)
		cancel()
		if err != nil {
			w.Header().Set("Retry-After", "1")
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		defer g.Leave()
		next.ServeHTTP(w, r)
	})
}

// Load reports the share of the limit in use.
func (g *Gate) Load() float64 {
	l := g.limit.Load()
	if l == 0 {
		return 1
	}
	return float64(g.inflight.Load()) / float64(l)
}
