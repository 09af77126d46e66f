// Package hostdial keeps one long-lived connection per backend host.
package hostdial

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"
)

var ErrClosed = errors.New("hostdial: transport closed")

type DialFunc func(ctx context.Context, host string) (net.Conn, error)

type hostClient struct {
	host string
	dial DialFunc
	stop context.CancelFunc

	wr   sync.Mutex
	conn net.Conn
	done bool
}

func newHostClient(host string, dial DialFunc, ping time.Duration) *hostClient {
	ctx, cancel := context.WithCancel(context.Background())
	h := &hostClient{host: host, dial: dial, stop: cancel}
	go h.keepalive(ctx, ping)
	return h
}

func (h *hostClient) keepalive(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			h.retire()
			return
		case <-t.C:
			if err := h.send(ctx, []byte{0}); err != nil {
				slog.Debug("keepalive", "host", h.host, "err", err)
			}
		}
	}
}

func (h *hostClient) retire() {
	h.wr.Lock()
	defer h.wr.Unlock()
	h.done = true
	if h.conn != nil {
		h.conn.Close()
		h.conn = nil
	}
}

func (h *hostClient) send(ctx context.Context, p []byte) error {
	h.wr.Lock()
	defer h.wr.Unlock()
	if h.done {
		return ErrClosed
	}
	if h.conn == nil {
		c, err := h.dial(ctx, h.host)
		if err != nil {
			return fmt.Errorf("dial %s: %w", h.host, err)
		}
		h.conn = c
	}
	if _, err := h.conn.Write(p); err != nil {
		h.conn.Close()
		h.conn = nil
		return err
	}
	return nil
}

type Transport struct {
	dial DialFunc
	ping time.Duration

	hostsMu sync.RWMutex
	hosts   map[string]*hostClient
	closed  bool
}

func New(dial DialFunc, ping time.Duration) *Transport {
	return &Transport{dial: dial, ping: ping, hosts: make(map[string]*hostClient)}
}

func (t *Transport) client(host string) (*hostClient, error) {
	t.hostsMu.RLock()
	h, ok := t.hosts[host]
	t.hostsMu.RUnlock()
	if ok {
		return h, nil
	}

	t.hostsMu.Lock()
	defer t.hostsMu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	h = newHostClient(host, t.dial, t.ping)
	t.hosts[host] = h
	return h, nil
}

// Send writes one message to the host, connecting first if need be.
func (t *Transport) Send(ctx context.Context, host string, msg []byte) error {
	h, err := t.client(host)
	if err != nil {
		return err
	}
	return h.send(ctx, msg)
}

func (t *Transport) Close() error {
	t.hostsMu.Lock()
	defer t.hostsMu.Unlock()
	t.closed = true
	for host, h := range t.hosts {
		h.stop()
		delete(t.hosts, host)
	}
	return nil
}
