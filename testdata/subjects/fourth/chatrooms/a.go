package chatrooms

import "sync"

type Member struct {
	Name string
	Out  chan string
}

type room struct {
	mu      sync.Mutex
	members map[string]*Member
}

func (r *room) add(m *Member) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members[m.Name] = m
}

type Lobby struct {
	mu    sync.Mutex
	rooms map[string]*room
}

func NewLobby() *Lobby { return &Lobby{rooms: map[string]*room{}} }

func (l *Lobby) get(name string) *room {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := l.rooms[name]
	if !ok {
		r = &room{members: map[string]*Member{}}
		l.rooms[name] = r
	}
	return r
}

func (l *Lobby) Join(name string, m *Member) {
	r := l.get(name)
	r.add(m)
}

func (l *Lobby) Leave(name, member string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := l.rooms[name]
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.members, member)
	if len(r.members) == 0 {
		delete(l.rooms, name)
	}
}

func (l *Lobby) Say(name, text string) {
	l.mu.Lock()
	r := l.rooms[name]
	l.mu.Unlock()
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.members {
		select {
		case m.Out <- text:
		default:
		}
	}
}
