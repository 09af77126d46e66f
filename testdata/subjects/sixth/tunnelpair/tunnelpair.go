// Package tunnelpair splices two connections together for a CONNECT proxy.
package tunnelpair

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

type halfCloser interface{ CloseWrite() error }

// Stats counts what passed through all the tunnels of a proxy.
type Stats struct {
	Up, Down atomic.Int64
	Active   atomic.Int32
}

type Tunnel struct {
	client, server net.Conn
	idle           time.Duration
	broken         chan struct{}
	finished       chan struct{}
	stats          *Stats
	log            *slog.Logger
}

func New(client, server net.Conn, idle time.Duration, st *Stats, log *slog.Logger) *Tunnel {
	return &Tunnel{
		client:   client,
		server:   server,
		idle:     idle,
		broken:   make(chan struct{}),
		finished: make(chan struct{}),
		stats:    st,
		log:      log.With("client", client.RemoteAddr(), "server", server.RemoteAddr()),
	}
}

// Run copies in both directions until both are done or one breaks.
func (t *Tunnel) Run(ctx context.Context) {
	t.stats.Active.Add(1)
	defer t.stats.Active.Add(-1)

	var wg sync.WaitGroup
	wg.Go(func() { t.copyHalf("up", t.server, t.client, &t.stats.Up) })
	wg.Go(func() { t.copyHalf("down", t.client, t.server, &t.stats.Down) })
	go func() {
		wg.Wait()
		close(t.finished)
	}()

	select {
	case <-t.finished:
	case <-t.broken:
		t.log.Info("tunnel broken")
	case <-ctx.Done():
	}
	t.client.Close()
	t.server.Close()
	<-t.finished
}

func (t *Tunnel) copyHalf(name string, dst, src net.Conn, count *atomic.Int64) {
	buf := make([]byte, 32<<10)
	var total int64
	for {
		src.SetReadDeadline(time.Now().Add(t.idle))
		n, err := src.Read(buf)
		if n > 0 {
			if _, werr := dst.Write(buf[:n]); werr != nil {
				err = werr
			}
			total += int64(n)
			count.Add(int64(n))
		}
		switch {
		case err == nil:
			continue
		case errors.Is(err, io.EOF):
			if hc, ok := dst.(halfCloser); ok {
				hc.CloseWrite()
			}
		case errors.Is(err, net.ErrClosed):
			// Run is tearing the pair down
		default:
			t.log.Warn("copy", "half", name, "bytes", total, "err", err)
			close(t.broken)
		}
		return
	}
}

// Server accepts clients and tunnels each to one upstream.
type Server struct {
	Upstream string
	Idle     time.Duration
	Log      *slog.Logger
	Stats    Stats
}

func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	context.AfterFunc(ctx, func() { ln.Close() })
	var d net.Dialer
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		go func() {
			up, err := d.DialContext(ctx, "tcp", s.Upstream)
			if err != nil {
				s.Log.Error("dial", "upstream", s.Upstream, "err", err)
				c.Close()
				return
			}
			New(c, up, s.Idle, &s.Stats, s.Log).Run(ctx)
		}()
	}
}
