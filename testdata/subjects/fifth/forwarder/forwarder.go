package forwarder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"
)

type Direction int

const (
	Up Direction = iota
	Down
)

// Usage is what billing wants to know.
type Usage struct {
	Conns   int
	Bytes   int64
	Longest time.Duration
}

// Forwarder relays TCP connections to one backend.
type Forwarder struct {
	backend string
	dialer  net.Dialer
	log     *slog.Logger
	bytes   int64

	mu      sync.Mutex
	conns   int
	longest time.Duration
}

func New(backend string, log *slog.Logger) *Forwarder {
	return &Forwarder{backend: backend, log: log, dialer: net.Dialer{Timeout: 3 * time.Second}}
}

func (f *Forwarder) pipe(dst, src net.Conn, dir Direction) {
	n, err := io.Copy(dst, src)
	f.bytes += n
	if err != nil && !errors.Is(err, net.ErrClosed) {
		f.log.Debug("pipe", "dir", dir, "bytes", n, "err", err)
	}
	if cw, ok := dst.(interface{ CloseWrite() error }); ok {
		cw.CloseWrite()
	}
}

func (f *Forwarder) finished(start time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.conns++
	f.longest = max(f.longest, time.Since(start))
}

// Relay connects the client with the backend until both directions end.
func (f *Forwarder) Relay(ctx context.Context, client net.Conn) error {
	defer client.Close()
	up, err := f.dialer.DialContext(ctx, "tcp", f.backend)
	if err != nil {
		return fmt.Errorf("backend %s: %w", f.backend, err)
	}
	defer up.Close()
	defer f.finished(time.Now())

	stop := context.AfterFunc(ctx, func() {
		now := time.Now()
		client.SetDeadline(now)
		up.SetDeadline(now)
	})
	defer stop()

	var wg sync.WaitGroup
	wg.Go(func() { f.pipe(up, client, Up) })
	wg.Go(func() { f.pipe(client, up, Down) })
	wg.Wait()
	return ctx.Err()
}

// Usage reports the totals so far.
func (f *Forwarder) Usage() Usage {
	f.mu.Lock()
	defer f.mu.Unlock()
	return Usage{Conns: f.conns, Bytes: f.bytes, Longest: f.longest}
}
