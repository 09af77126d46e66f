package chathub

import (
	"context"
	"errors"
	"log/slog"
)

var (
	ErrNameTaken = errors.New("chathub: name taken")
	ErrHubDown   = errors.New("chathub: hub is down")
)

type Client struct {
	Name string
	Out  chan string
}

type joinReq struct {
	c     *Client
	reply chan error
}

type line struct {
	from, text string
}

// Hub relays chat lines between clients.
type Hub struct {
	log     *slog.Logger
	joins   chan joinReq
	leaves  chan *Client
	lines   chan line
	down    chan struct{}
	clients map[string]*Client
	relayed int
}

func NewHub(ctx context.Context, log *slog.Logger) *Hub {
	h := &Hub{
		log:     log,
		joins:   make(chan joinReq),
		leaves:  make(chan *Client),
		lines:   make(chan line, 64),
		down:    make(chan struct{}),
		clients: make(map[string]*Client),
	}
	go h.run(ctx)
	return h
}

func (h *Hub) run(ctx context.Context) {
	defer close(h.down)
	for {
		select {
		case <-ctx.Done():
			h.log.Info("hub stops", "clients", len(h.clients), "relayed", h.relayed)
			for _, c := range h.clients {
				close(c.Out)
			}
			return
		case j := <-h.joins:
			j.reply <- h.admit(j.c)
		case c := <-h.leaves:
			h.remove(c)
		case l := <-h.lines:
			h.relay(l)
		}
	}
}

func (h *Hub) admit(c *Client) error {
	if _, taken := h.clients[c.Name]; taken {
		return ErrNameTaken
	}
	h.clients[c.Name] = c
	return nil
}

func (h *Hub) remove(c *Client) {
	if h.clients[c.Name] != c {
		return
	}
	delete(h.clients, c.Name)
	close(c.Out)
}

func (h *Hub) relay(l line) {
	for name, c := range h.clients {
		if name == l.from {
			continue
		}
		select {
		case c.Out <- l.from + ": " + l.text:
			h.relayed++
		default:
			h.log.Warn("client too slow", "name", name)
			h.remove(c)
		}
	}
}

// Join adds a client; its Out channel is closed when it is removed.
func (h *Hub) Join(c *Client) error {
	j := joinReq{c: c, reply: make(chan error, 1)}
	select {
	case h.joins <- j:
		return <-j.reply
	case <-h.down:
		return ErrHubDown
	}
}

func (h *Hub) Leave(c *Client) {
	select {
	case h.leaves <- c:
	case <-h.down:
	}
}

func (h *Hub) Say(from, text string) error {
	select {
	case h.lines <- line{from, text}:
		return nil
	case <-h.down:
		return ErrHubDown
	}
}
