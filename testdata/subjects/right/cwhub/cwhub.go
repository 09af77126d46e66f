// Package cwhub ends a client where it is taken out of the hub: only one can take it out.
package cwhub

import (
	"bufio"
	"io"
	"sync"
)

type client struct {
	id   string
	r    io.Reader
	hub  *Hub
	gone chan struct{}
}

// Hub has clients.
type Hub struct {
	mu      sync.Mutex
	clients map[string]*client
}

// New makes a hub.
func New() *Hub { return &Hub{clients: map[string]*client{}} }

// Add adds a client, and reads from it.
func (h *Hub) Add(id string, r io.Reader) <-chan struct{} {
	c := &client{id: id, r: r, hub: h, gone: make(chan struct{})}
	h.mu.Lock()
	h.clients[id] = c
	h.mu.Unlock()
	go c.read()
	return c.gone
}

// remove says whether the client was there still.
func (h *Hub) remove(c *client) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.clients[c.id] != c {
		return false
	}
	delete(h.clients, c.id)
	return true
}

// Kick ends a client.
func (h *Hub) Kick(id string) {
	h.mu.Lock()
	c := h.clients[id]
	h.mu.Unlock()
	if c != nil && h.remove(c) {
		c.Stop()
	}
}

// Stop is called by whoever has removed the client.
func (c *client) Stop() { close(c.gone) }

func (c *client) read() {
	s := bufio.NewScanner(c.r)
	for s.Scan() {
	}
	if c.hub.remove(c) {
		close(c.gone)
	}
}
