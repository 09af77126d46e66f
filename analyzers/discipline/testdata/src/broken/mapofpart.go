package broken

import "sync"

// RoomTracker knows who is in which room.
type RoomTracker interface {
	Me() *Guest
	Join(room string)
	Leave(room string)
	Get(n string) *Guest
}

type Guest struct {
	Name  string
	Rooms map[string]bool
}

type lodger struct {
	name  string
	rooms map[string]bool
}

func (p *lodger) show() *Guest {
	out := &Guest{Name: p.name, Rooms: map[string]bool{}}
	for r := range p.rooms {
		out.Rooms[r] = true
	}
	return out
}

func (p *lodger) join(r string)  { p.rooms[r] = true }
func (p *lodger) leave(r string) { delete(p.rooms, r) }

type roomTracker struct {
	mu     sync.Mutex
	people map[string]*lodger
	me     *lodger
}

func NewRoomTracker(n string) RoomTracker {
	t := &roomTracker{people: map[string]*lodger{}}
	t.me = &lodger{n, map[string]bool{}}
	t.people[n] = t.me
	return t
}

func (t *roomTracker) Me() *Guest {
	return t.me.show() // want `t.me.show looks into lodger.rooms\[\] here without a lock, with which all others call it, as \(\*roomTracker\).Get does, and \(\*roomTracker\).Leave changes the map`
}

func (t *roomTracker) Join(r string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.me.join(r)
}

func (t *roomTracker) Leave(r string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.me.leave(r)
}

func (t *roomTracker) Get(n string) *Guest {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.people[n]; p != nil {
		return p.show()
	}
	return nil
}

func (t *roomTracker) First() *Guest {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.people {
		return p.show()
	}
	return nil
}
