// Package connadmit is a small TCP server with a graceful stop.
package connadmit

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

type Handler func(ctx context.Context, c net.Conn) error

type Server struct {
	Handler Handler
	Log     *slog.Logger
	Limit   int

	stopping atomic.Bool
	refused  atomic.Int64

	connLock sync.Mutex
	open     map[net.Conn]time.Time
	lns      []net.Listener
}

func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	s.connLock.Lock()
	if s.stopping.Load() {
		s.connLock.Unlock()
		return ln.Close()
	}
	s.lns = append(s.lns, ln)
	s.connLock.Unlock()

	var backoff time.Duration
	for {
		c, err := ln.Accept()
		if err != nil {
			if s.stopping.Load() {
				return nil
			}
			var ne net.Error
			if errors.As(err, &ne) && ne.Timeout() {
				backoff = min(max(2*backoff, 5*time.Millisecond), time.Second)
				s.Log.Warn("accept failed, retrying", "err", err, "in", backoff)
				time.Sleep(backoff)
				continue
			}
			return err
		}
		backoff = 0
		if !s.admit(c) {
			s.refused.Add(1)
			c.Close()
			continue
		}
		go s.serveConn(ctx, c)
	}
}

func (s *Server) admit(c net.Conn) bool {
	if s.stopping.Load() {
		return false
	}
	if tc, ok := c.(*net.TCPConn); ok {
		tc.SetKeepAlivePeriod(time.Minute)
	}
	s.connLock.Lock()
	defer s.connLock.Unlock()
	if s.Limit > 0 && len(s.open) >= s.Limit {
		return false
	}
	if s.open == nil {
		s.open = make(map[net.Conn]time.Time)
	}
	s.open[c] = time.Now()
	return true
}

func (s *Server) release(c net.Conn) {
	c.Close()
	s.connLock.Lock()
	delete(s.open, c)
	s.connLock.Unlock()
}

func (s *Server) serveConn(ctx context.Context, c net.Conn) {
	defer s.release(c)
	if err := s.Handler(ctx, c); err != nil && !errors.Is(err, net.ErrClosed) {
		s.Log.Info("connection ended", "remote", c.RemoteAddr(), "err", err)
	}
}

func (s *Server) count() int {
	s.connLock.Lock()
	defer s.connLock.Unlock()
	return len(s.open)
}

// Refused is the number of connections turned away.
func (s *Server) Refused() int64 { return s.refused.Load() }

// Shutdown closes listeners and connections and waits for the handlers.
func (s *Server) Shutdown(ctx context.Context) error {
	if !s.stopping.CompareAndSwap(false, true) {
		return errors.New("connadmit: already stopping")
	}
	s.connLock.Lock()
	for _, ln := range s.lns {
		ln.Close()
	}
	for c := range s.open {
		c.Close()
	}
	s.connLock.Unlock()

	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for s.count() > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-poll.C:
		}
	}
	return nil
}
