package draining

import (
	"context"
	"log"
	"net/http"
	"sync/atomic"
)

type Balancer interface {
	// PutState sets the node's state; repeating it has no effect.
	PutState(ctx context.Context, node, state string) error
}

type Server struct {
	node     string
	lb       Balancer
	draining atomic.Bool
	handler  http.Handler
}

func New(node string, lb Balancer, h http.Handler) *Server {
	return &Server{node: node, lb: lb, handler: h}
}

func (s *Server) StartDrain(ctx context.Context) {
	if s.draining.Load() {
		return
	}
	s.draining.Store(true)
	if err := s.lb.PutState(ctx, s.node, "draining"); err != nil {
		log.Printf("drain %s: %v", s.node, err)
	}
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/healthz":
		if s.draining.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusOK)
	case "/drain":
		s.StartDrain(r.Context())
		w.WriteHeader(http.StatusAccepted)
	default:
		s.handler.ServeHTTP(w, r)
	}
}
