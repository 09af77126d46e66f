package fanouthub

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Sink is the write side of a websocket connection; it is safe for concurrent use.
type Sink interface {
	WriteText(p []byte, deadline time.Time) error
	Close() error
}

type Event struct {
	Room string          `json:"room"`
	Kind string          `json:"kind"`
	Data json.RawMessage `json:"data"`
}

type room struct {
	created time.Time
	members map[string]Sink
}

type Hub struct {
	log          *slog.Logger
	writeTimeout time.Duration

	roomsMu sync.RWMutex
	rooms   map[string]*room
}

func NewHub(log *slog.Logger) *Hub {
	return &Hub{log: log, writeTimeout: 2 * time.Second, rooms: make(map[string]*room)}
}

func (h *Hub) Join(name, user string, s Sink) {
	h.roomsMu.Lock()
	defer h.roomsMu.Unlock()
	r, ok := h.rooms[name]
	if !ok {
		r = &room{created: time.Now(), members: make(map[string]Sink)}
		h.rooms[name] = r
	}
	if old, ok := r.members[user]; ok && old != s {
		old.Close()
	}
	r.members[user] = s
}

func (h *Hub) Leave(name, user string) {
	h.roomsMu.Lock()
	defer h.roomsMu.Unlock()
	r, ok := h.rooms[name]
	if !ok {
		return
	}
	delete(r.members, user)
	if len(r.members) == 0 {
		delete(h.rooms, name)
		h.log.Debug("room closed", "room", name, "age", time.Since(r.created))
	}
}

func (h *Hub) members(name string) (map[string]Sink, bool) {
	h.roomsMu.RLock()
	defer h.roomsMu.RUnlock()
	r, ok := h.rooms[name]
	if !ok {
		return nil, false
	}
	return r.members, true
}

// Broadcast sends the event to everybody in its room.
func (h *Hub) Broadcast(ev Event) error {
	payload, err := json.Marshal(ev)
	if err != nil {
		return fmt.Errorf("broadcast %s: %w", ev.Kind, err)
	}
	list, ok := h.members(ev.Room)
	if !ok {
		return nil
	}
	deadline := time.Now().Add(h.writeTimeout)
	for user, s := range list {
		if err := s.WriteText(payload, deadline); err != nil {
			h.log.Warn("dropping member", "room", ev.Room, "user", user, "err", err)
			s.Close()
		}
	}
	return nil
}
