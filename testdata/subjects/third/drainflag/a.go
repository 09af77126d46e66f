package drainflag

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"
)

type Server struct {
	draining atomic.Bool
	rejected atomic.Int64
	inflight atomic.Int64
	next     http.Handler
}

func New(next http.Handler) *Server {
	return &Server{next: next}
}

func (s *Server) Drain() {
	if !s.draining.Load() {
		s.draining.Store(true)
	}
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.inflight.Add(1)
	defer s.inflight.Add(-1)
	if s.draining.Load() {
		s.rejected.Add(1)
		w.Header().Set("Connection", "close")
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
		return
	}
	s.next.ServeHTTP(w, r)
}

// Wait marks the server as draining and waits for running requests.
func (s *Server) Wait(ctx context.Context) error {
	s.Drain()
	t := time.NewTicker(20 * time.Millisecond)
	defer t.Stop()
	for s.inflight.Load() > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
	}
	return nil
}

func (s *Server) Rejected() int64 { return s.rejected.Load() }
