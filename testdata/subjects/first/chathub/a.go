package chathub

import "sync"

type Client struct {
	Nick string
	Out  chan string
}

type Room struct {
	mu      sync.Mutex
	clients map[*Client]bool
}

func (r *Room) add(c *Client) {
	r.mu.Lock()
	r.clients[c] = true
	r.mu.Unlock()
}

func (r *Room) remove(c *Client) (left int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.clients, c)
	return len(r.clients)
}

type Hub struct {
	mu    sync.Mutex
	rooms map[string]*Room
}

func NewHub() *Hub { return &Hub{rooms: make(map[string]*Room)} }

func (h *Hub) room(name string) *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[name]
	if r == nil {
		r = &Room{clients: make(map[*Client]bool)}
		h.rooms[name] = r
	}
	return r
}

func (h *Hub) Join(name string, c *Client) {
	r := h.room(name)
	r.add(c)
}

func (h *Hub) Leave(name string, c *Client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, ok := h.rooms[name]
	if ok && r.remove(c) == 0 {
		delete(h.rooms, name)
	}
}

func (h *Hub) Say(name, line string) {
	h.mu.Lock()
	r, ok := h.rooms[name]
	h.mu.Unlock()
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.clients {
		select {
		case c.Out <- line:
		default:
		}
	}
}
