// Package regname has a list of servers by name, and no remote calls.
package regname

import (
	"context"
	"errors"
	"sync"
)

var (
	mu      sync.Mutex
	servers = map[string]*Server{}
)

// Options are those of Start.
type Options struct{ Addr string }

// Server is one of several that a program has.
type Server struct {
	addr  string
	ready chan struct{}
}

// RegisterBackendServer puts a server on the list.
func RegisterBackendServer(name string, s *Server) {
	mu.Lock()
	defer mu.Unlock()
	servers[name] = s
}

// New makes one, on the list.
func New(name string) *Server {
	s := &Server{ready: make(chan struct{})}
	RegisterBackendServer(name, s)
	return s
}

// Start makes it ready; it is called once by the program. Right: Server is no service, nothing
// calls its methods but the program itself.
func (s *Server) Start(ctx context.Context, o *Options) error {
	if o.Addr == "" {
		return errors.New("no address")
	}
	s.addr = o.Addr
	close(s.ready)
	return nil
}

// Wait waits until a server is ready.
func Wait(ctx context.Context, name string) error {
	mu.Lock()
	s := servers[name]
	mu.Unlock()
	if s == nil {
		return errors.New("unknown")
	}
	select {
	case <-s.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
