// Package serialrpc serves the requests of a controller one after the other.
package serialrpc

import (
	"io"
	"net/rpc"
	"sync/atomic"
)

// Panel has the state of one controller.
type Panel struct {
	ended bool
	level atomic.Int64
	quit  chan struct{}
}

// Quit ends it. Right: ServeRequest runs one method at a time, in the goroutine of Serve.
func (p *Panel) Quit(_ int, reply *bool) error {
	if p.ended {
		return nil
	}
	p.ended = true
	close(p.quit)
	*reply = true
	return nil
}

// Up raises the level.
func (p *Panel) Up(by int64, reply *int64) error {
	next := p.level.Load() + by
	if next > 100 {
		next = 100
	}
	p.level.Store(next)
	*reply = next
	return nil
}

// Serve serves a controller until it is gone.
func Serve(codec rpc.ServerCodec) error {
	p := &Panel{quit: make(chan struct{})}
	s := rpc.NewServer()
	if err := s.Register(p); err != nil {
		return err
	}
	for {
		select {
		case <-p.quit:
			return nil
		default:
		}
		if err := s.ServeRequest(codec); err == io.EOF {
			return nil
		}
	}
}
