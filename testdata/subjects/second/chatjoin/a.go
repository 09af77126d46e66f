package chatjoin

import (
	"context"
	"fmt"
	"sync"
)

type Member struct {
	Nick string
	Out  chan string
}

type ACL interface {
	Allowed(ctx context.Context, nick, room string) error
}

type Hub struct {
	acl ACL

	mu    sync.Mutex
	rooms map[string]map[string]*Member
}

func NewHub(acl ACL) *Hub {
	return &Hub{acl: acl, rooms: make(map[string]map[string]*Member)}
}

func (h *Hub) Join(ctx context.Context, room string, m *Member) error {
	h.mu.Lock()
	if h.rooms[room] == nil {
		h.rooms[room] = make(map[string]*Member)
	}
	h.mu.Unlock()

	if err := h.acl.Allowed(ctx, m.Nick, room); err != nil {
		return fmt.Errorf("join %s: %w", room, err)
	}

	h.mu.Lock()
	h.rooms[room][m.Nick] = m
	h.mu.Unlock()
	return nil
}

func (h *Hub) Leave(room, nick string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	members, ok := h.rooms[room]
	if !ok {
		return
	}
	delete(members, nick)
	if len(members) == 0 {
		delete(h.rooms, room)
	}
}
