// Package hubloop has a hub whose one goroutine sends and closes.
package hubloop

import "sync"

type client struct{ send chan string }

// Hub has clients.
type Hub struct {
	mu      sync.Mutex // for Len
	clients map[*client]bool
	join    chan *client
	leave   chan *client
	news    chan string
}

// New starts one.
func New() *Hub {
	h := &Hub{clients: map[*client]bool{}, join: make(chan *client), leave: make(chan *client), news: make(chan string)}
	go h.run()
	return h
}

func (h *Hub) run() {
	for {
		select {
		case c := <-h.join:
			h.mu.Lock()
			h.clients[c] = true
			h.mu.Unlock()
		case c := <-h.leave:
			h.remove(c)
		case s := <-h.news:
			h.tell(s)
		}
	}
}

// remove and tell. Right: run alone calls them.
func (h *Hub) remove(c *client) {
	h.mu.Lock()
	_, ok := h.clients[c]
	delete(h.clients, c)
	h.mu.Unlock()
	if ok {
		close(c.send)
	}
}

func (h *Hub) tell(s string) {
	var list []*client
	h.mu.Lock()
	for c := range h.clients {
		list = append(list, c)
	}
	h.mu.Unlock()
	for _, c := range list {
		c.send <- s
	}
}

// Len is the number of clients.
func (h *Hub) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.clients)
}
