// Package notserved has methods that a server of remote calls does not serve.
package notserved

import (
	"context"
	"net/rpc"
)

type session struct{ id string }

// Control is served by net/rpc.
type Control struct {
	owner string
	ready chan struct{}
}

// Ping is served.
func (c *Control) Ping(_ int, reply *string) error {
	<-c.ready
	*reply = c.owner
	return nil
}

// Adopt is called once by Serve. Right: session is not exported, so that net/rpc does not serve it.
func (c *Control) Adopt(name string, s *session) error {
	c.owner = name + s.id
	close(c.ready)
	return nil
}

// Serve registers it.
func Serve(name string) error {
	c := &Control{ready: make(chan struct{})}
	s := rpc.NewServer()
	if err := s.Register(c); err != nil {
		return err
	}
	return c.Adopt(name, &session{id: "1"})
}

// Registrar is that of gRPC.
type Registrar interface{ RegisterService(desc, impl any) }

// StatusRequest and others are messages.
type (
	StatusRequest struct{}
	StatusReply   struct{ Name string }
	Config        struct{ Name string }
)

// StatusServer is the service.
type StatusServer interface {
	Status(context.Context, *StatusRequest) (*StatusReply, error)
}

// RegisterStatusServer is generated.
func RegisterStatusServer(r Registrar, s StatusServer) { r.RegisterService("status", s) }

// Service implements it.
type Service struct {
	name  string
	ready chan struct{}
}

// Status is served.
func (s *Service) Status(ctx context.Context, _ *StatusRequest) (*StatusReply, error) {
	<-s.ready
	return &StatusReply{Name: s.name}, nil
}

// Configure is called once by Run. Right: it is no method of StatusServer.
func (s *Service) Configure(ctx context.Context, c *Config) error {
	s.name = c.Name
	close(s.ready)
	return nil
}

// Run registers it.
func Run(ctx context.Context, r Registrar, c *Config) error {
	s := &Service{ready: make(chan struct{})}
	RegisterStatusServer(r, s)
	return s.Configure(ctx, c)
}
