package chathub

import (
	"errors"
	"sync"
)

type Client interface {
	ID() string
	Push(msg string) error
}

type Room struct {
	mu      sync.Mutex
	members map[string]Client
}

func (r *Room) add(c Client) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members[c.ID()] = c
}

type Hub struct {
	mu    sync.Mutex
	rooms map[string]*Room
}

func NewHub() *Hub { return &Hub{rooms: map[string]*Room{}} }

func (h *Hub) room(name string) *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[name]
	if r == nil {
		r = &Room{members: map[string]Client{}}
		h.rooms[name] = r
	}
	return r
}

func (h *Hub) Join(name string, c Client) {
	r := h.room(name)
	r.add(c)
}

func (h *Hub) Leave(name string, c Client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, ok := h.rooms[name]
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.members, c.ID())
	if len(r.members) == 0 {
		delete(h.rooms, name)
	}
}

func (h *Hub) Say(name, msg string) (err error) {
	h.mu.Lock()
	r := h.rooms[name]
	h.mu.Unlock()
	if r == nil {
		return errors.New("no such room")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.members {
		err = errors.Join(err, c.Push(msg))
	}
	return err
}
