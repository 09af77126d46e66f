package roomregistry

import (
	"fmt"
	"sync"
)

type Map[K comparable, V any] struct{ m sync.Map }

func (m *Map[K, V]) Get(k K) (v V, ok bool) {
	x, ok := m.m.Load(k)
	if ok {
		v = x.(V)
	}
	return v, ok
}

func (m *Map[K, V]) Set(k K, v V) { m.m.Store(k, v) }
func (m *Map[K, V]) Remove(k K)   { m.m.Delete(k) }

type Room struct {
	ID      string
	mu      sync.Mutex
	members map[string]chan<- []byte
}

type Registry struct {
	rooms Map[string, *Room]
}

func NewRegistry() *Registry { return &Registry{} }

func (r *Registry) Join(roomID, user string, out chan<- []byte) (*Room, error) {
	if roomID == "" {
		return nil, fmt.Errorf("roomregistry: empty room id")
	}
	room, ok := r.rooms.Get(roomID)
	if !ok {
		room = &Room{ID: roomID, members: make(map[string]chan<- []byte)}
		r.rooms.Set(roomID, room)
	}
	room.mu.Lock()
	room.members[user] = out
	room.mu.Unlock()
	return room, nil
}

func (rm *Room) Broadcast(msg []byte) {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	for _, ch := range rm.members {
		select {
		case ch <- msg:
		default:
		}
	}
}
