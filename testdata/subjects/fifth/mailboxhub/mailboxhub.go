package mailboxhub

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
)

type Client struct {
	name    string
	mailbox chan []byte
	skipped atomic.Uint64
}

func (c *Client) full() bool { return len(c.mailbox) == cap(c.mailbox) }

// pump writes the mailbox to the socket until the context or the socket ends.
func (c *Client) pump(ctx context.Context, w io.Writer) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case p := <-c.mailbox:
			if _, err := w.Write(p); err != nil {
				return err
			}
		}
	}
}

type Hub struct {
	log  *slog.Logger
	size int

	mu      sync.RWMutex
	clients map[string]*Client
}

func NewHub(size int, log *slog.Logger) *Hub {
	return &Hub{size: size, log: log, clients: make(map[string]*Client)}
}

func (h *Hub) attach(name string) *Client {
	c := &Client{name: name, mailbox: make(chan []byte, h.size)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clients[name] = c
	return c
}

// drop forgets the client unless a newer connection has taken its name.
func (h *Hub) drop(c *Client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.clients[c.name] == c {
		delete(h.clients, c.name)
	}
}

// Serve writes to w what is published until the client goes away.
func (h *Hub) Serve(ctx context.Context, name string, w io.Writer) error {
	c := h.attach(name)
	defer h.drop(c)
	err := c.pump(ctx, w)
	h.log.Info("client gone", "name", name, "skipped", c.skipped.Load(), "err", err)
	return err
}

// Publish queues p for every client; those that lag behind miss it.
func (h *Hub) Publish(p []byte) (queued int) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, c := range h.clients {
		if c.full() {
			if c.skipped.Add(1) == 1 {
				h.log.Warn("client lags", "name", c.name)
			}
			continue
		}
		c.mailbox <- p
		queued++
	}
	return queued
}

// Lagging lists the clients that missed messages.
func (h *Hub) Lagging() map[string]uint64 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	out := make(map[string]uint64)
	for name, c := range h.clients {
		if n := c.skipped.Load(); n > 0 {
			out[name] = n
		}
	}
	return out
}
