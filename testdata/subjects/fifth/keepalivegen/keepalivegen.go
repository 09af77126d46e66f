package keepalivegen

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"
)

var ErrSessionClosed = errors.New("keepalivegen: session closed")

type DialFunc func(ctx context.Context) (net.Conn, error)

// Session keeps one connection to a peer and replaces it when it breaks.
type Session struct {
	dial  DialFunc
	log   *slog.Logger
	pings *time.Ticker

	mu     sync.Mutex
	conn   net.Conn
	gen    uint64
	closed bool
}

func Open(ctx context.Context, dial DialFunc, every time.Duration, log *slog.Logger) (*Session, error) {
	c, err := dial(ctx)
	if err != nil {
		return nil, fmt.Errorf("open session: %w", err)
	}
	s := &Session{dial: dial, log: log, pings: time.NewTicker(every), conn: c, gen: 1}
	go s.keepAlive(ctx)
	return s, nil
}

func (s *Session) keepAlive(ctx context.Context) {
	defer s.Close()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.pings.C:
			if err := s.Send(ctx, []byte{0}); err != nil {
				s.log.Warn("ping failed", "err", err)
				if errors.Is(err, ErrSessionClosed) {
					return
				}
			}
		}
	}
}

func (s *Session) link() (net.Conn, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, 0, ErrSessionClosed
	}
	return s.conn, s.gen, nil
}

// reconnect replaces the connection of generation broken.
func (s *Session) reconnect(ctx context.Context, broken uint64) error {
	s.mu.Lock()
	if s.gen != broken || s.closed {
		s.mu.Unlock()
		return nil
	}
	s.mu.Unlock()

	fresh, err := s.dial(ctx)
	if err != nil {
		return fmt.Errorf("reconnect: %w", err)
	}

	s.mu.Lock()
	if s.gen != broken || s.closed {
		s.mu.Unlock()
		fresh.Close()
		return nil
	}
	old := s.conn
	s.conn = fresh
	s.gen++
	s.mu.Unlock()
	s.log.Info("reconnected", "generation", broken+1)
	old.Close()
	return nil
}

// Send writes p and retries once on a new connection.
func (s *Session) Send(ctx context.Context, p []byte) error {
	for attempt := 0; ; attempt++ {
		c, gen, err := s.link()
		if err != nil {
			return err
		}
		if _, err = c.Write(p); err == nil {
			return nil
		}
		if attempt > 0 {
			return err
		}
		if rerr := s.reconnect(ctx, gen); rerr != nil {
			return errors.Join(err, rerr)
		}
	}
}

func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.pings.Stop()
	return s.conn.Close()
}
