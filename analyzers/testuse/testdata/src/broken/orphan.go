package broken

import (
	"sync"
	"sync/atomic"
)

// room is removed when nobody is in it any more.
type room struct {
	mu      sync.Mutex
	members map[string]int
	names   []string
	visits  atomic.Int64
	inUse   int
}

func (r *room) join(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.enter(name)
}

func (r *room) enter(name string) {
	r.members[name]++
	r.names = append(r.names, name)
}

func (r *room) leave(name string) (empty bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.members, name)
	if len(r.members) == 0 {
		empty = true
	}
	return
}

func (r *room) size() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.members)
}

func (r *room) visit() { r.visits.Add(1) }

// Rooms are made when they are asked for.
type Rooms struct {
	mu    sync.Mutex
	rooms map[string]*room
}

func (s *Rooms) Join(key, name string) {
	s.mu.Lock()
	r, ok := s.rooms[key] // want `\(\*Rooms\).Leave can find the object empty and remove it from s.rooms once s.mu is released and before r.join is called: what that adds is in no map any more`
	if !ok {
		r = &room{members: map[string]int{}}
		s.rooms[key] = r
	}
	s.mu.Unlock()
	r.join(name)
}

func (s *Rooms) Leave(key, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.rooms[key]
	if !ok {
		return
	}
	if r.leave(name) {
		delete(s.rooms, key)
	}
}

// JoinLocked keeps the lock until the room has grown.
func (s *Rooms) JoinLocked(key, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.rooms[key]; ok {
		r.join(name)
	}
}

// Visit adds to what nobody asks for.
func (s *Rooms) Visit(key string) {
	s.mu.Lock()
	r := s.rooms[key]
	s.mu.Unlock()
	if r != nil {
		r.visit()
	}
}

// find is a look of its own.
func (s *Rooms) find(key string) *room {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rooms[key]
}

// Follow joins a room that is there.
func (s *Rooms) Follow(key, name string) bool {
	r := s.find(key) // want `\(\*Rooms\).Leave can find the object empty and remove it from s.rooms once s.mu is released and before r.join is called`
	if r == nil {
		return false
	}
	r.join(name)
	return true
}

// Certain joins, and looks whether the room is still there.
func (s *Rooms) Certain(key, name string) bool {
	for {
		r := s.find(key)
		if r == nil {
			return false
		}
		r.join(name)
		if s.find(key) == r {
			return true
		}
	}
}

// tunnel is closed when it is removed, and says so.
type tunnel struct {
	mu     sync.Mutex
	closed bool
	users  int
	pins   int
}

func (t *tunnel) use() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.users++
	return true
}

func (t *tunnel) count() { t.users++ }

func (t *tunnel) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
}

// Tunnels removes what nobody uses from time to time.
type Tunnels struct {
	mu   sync.RWMutex
	open map[string]*tunnel
}

func (s *Tunnels) Use(key string) bool {
	s.mu.RLock()
	t := s.open[key]
	s.mu.RUnlock()
	return t != nil && t.use() // which looks whether it is closed
}

// Pinned counts itself in while the lock is held.
func (s *Tunnels) Pinned(key string) {
	s.mu.RLock()
	t := s.open[key]
	if t == nil {
		s.mu.RUnlock()
		return
	}
	t.pins++
	s.mu.RUnlock()
	t.count()
}

func (s *Tunnels) Sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, t := range s.open {
		if t.users == 0 && t.pins == 0 {
			t.close()
			delete(s.open, key)
		}
	}
}

// session is one of a sync.Map.
type session struct {
	streams atomic.Int32
}

func (s *session) open() { s.streams.Add(1) }

func (s *session) idle() bool { return s.streams.Load() == 0 }

// Sessions have no lock at all.
type Sessions struct {
	byAddr sync.Map
}

func (s *Sessions) Open(addr string) {
	v, _ := s.byAddr.LoadOrStore(addr, new(session)) // want `\(\*Sessions\).Reap can find the object empty and remove it from s.byAddr before c.open is called`
	c := v.(*session)
	c.open()
}

func (s *Sessions) Reap() {
	s.byAddr.Range(func(k, v any) bool {
		if v.(*session).idle() {
			s.byAddr.Delete(k)
		}
		return true
	})
}

type tray struct {
	slots map[string]int
	until int
}

// Carousel are gone once they are empty.
type Carousel struct {
	mu    sync.RWMutex
	racks map[string]*tray
}

// Fill looks again only if it has found none.
func (r *Carousel) Fill(key, slot string) (v int) {
	r.mu.RLock()
	found, ok := r.racks[key] // want `\(\*Carousel\).Clear can find the object empty and remove it from r.racks once r.mu is released and before found.slots\[slot\] is stored: that is in no map any more`
	if ok {
		v, ok = found.slots[slot]
	}
	r.mu.RUnlock()
	if ok {
		return v
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if found == nil {
		if found, ok = r.racks[key]; !ok {
			found = &tray{slots: map[string]int{}}
			r.racks[key] = found
		}
	}
	if v, ok := found.slots[slot]; ok {
		return v
	}
	found.slots[slot] = 1
	return 0
}

func (r *Carousel) Clear(key, slot string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if found, ok := r.racks[key]; ok {
		if delete(found.slots, slot); len(found.slots) == 0 {
			delete(r.racks, key)
		}
	}
}
