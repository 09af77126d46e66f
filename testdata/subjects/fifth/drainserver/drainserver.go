package drainserver

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"
)

var ErrStopped = errors.New("drainserver: stopped")

type ConnHandler interface {
	ServeConn(ctx context.Context, c net.Conn) error
}

type Server struct {
	ln      net.Listener
	handler ConnHandler
	log     *slog.Logger
	quit    chan struct{}
	done    chan struct{}
}

func Start(ln net.Listener, h ConnHandler, log *slog.Logger) *Server {
	s := &Server{ln: ln, handler: h, log: log, quit: make(chan struct{}), done: make(chan struct{})}
	go s.acceptLoop()
	return s
}

func (s *Server) acceptLoop() {
	defer close(s.done)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for backoff := 5 * time.Millisecond; ; {
		c, err := s.ln.Accept()
		if err == nil {
			backoff = 5 * time.Millisecond
			wg.Go(func() { s.serve(ctx, c) })
			continue
		}
		var ne net.Error
		if errors.As(err, &ne) && ne.Timeout() && backoff < time.Second {
			time.Sleep(backoff)
			backoff *= 2
			continue
		}
		if !errors.Is(err, net.ErrClosed) {
			s.log.Error("accept", "err", err)
		}
		s.Shutdown()
		return
	}
}

func (s *Server) serve(ctx context.Context, c net.Conn) {
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { c.SetDeadline(time.Now()) })
	defer stop()
	if err := s.handler.ServeConn(ctx, c); err != nil && ctx.Err() == nil {
		s.log.Warn("connection ended", "remote", c.RemoteAddr(), "err", err)
	}
}

// Shutdown stops accepting; connections in progress are cancelled.
func (s *Server) Shutdown() {
	select {
	case <-s.quit:
		return
	default:
		close(s.quit)
	}
	s.log.Info("shutting down", "addr", s.ln.Addr())
	if err := s.ln.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		s.log.Warn("close listener", "err", err)
	}
}

// Wait blocks until all connections are gone.
func (s *Server) Wait(ctx context.Context) error {
	select {
	case <-s.done:
		return ErrStopped
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Draining is closed when the server no longer wants new work.
func (s *Server) Draining() <-chan struct{} { return s.quit }
