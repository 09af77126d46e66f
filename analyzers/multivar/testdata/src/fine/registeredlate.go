package fine

import (
	"io"
	"net"
	"sync"
)

// A Gate writes its guests down first, or under the lock that who strikes them off takes.
type Gate struct {
	mu     sync.Mutex
	guests map[net.Conn]bool
	rooms  map[string]*room
	known  map[string]int
}

type room struct {
	name string
	left chan struct{}
}

func (g *Gate) Open(l net.Listener) error {
	for {
		guest, err := l.Accept()
		if err != nil {
			return err
		}
		g.mu.Lock()
		g.guests[guest] = true
		g.mu.Unlock()
		go g.attend(guest)
	}
}

func (g *Gate) Let(guest net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	go g.attend(guest)
	g.guests[guest] = true
}

func (g *Gate) attend(guest net.Conn) {
	io.Copy(io.Discard, guest)
	g.mu.Lock()
	delete(g.guests, guest)
	g.mu.Unlock()
}

// Rent starts a goroutine that ends when somebody finds the room and closes it.
func (g *Gate) Rent(name string) {
	r := &room{name: name, left: make(chan struct{})}
	go g.keep(r)
	g.mu.Lock()
	g.rooms[name] = r
	g.mu.Unlock()
}

func (g *Gate) keep(r *room) {
	<-r.left
	g.mu.Lock()
	delete(g.rooms, r.name)
	g.mu.Unlock()
}

func (g *Gate) Leave(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r := g.rooms[name]; r != nil {
		close(r.left)
	}
}

// Count starts a goroutine that removes what others have entered, and not this one.
func (g *Gate) Count(name, other string) {
	go g.forget(other)
	g.mu.Lock()
	g.known[name] = 1
	g.mu.Unlock()
}

func (g *Gate) forget(name string) {
	g.mu.Lock()
	delete(g.known, name)
	g.mu.Unlock()
}

// A Sage has a place for the answer before the question is sent.
type Sage struct {
	mu      sync.Mutex
	out     io.Writer
	waiting map[byte]chan string
	past    map[byte]int
}

func (s *Sage) Ask(number byte) string {
	answer := make(chan string, 1)
	s.mu.Lock()
	s.waiting[number] = answer
	s.mu.Unlock()
	s.out.Write([]byte{number})
	s.mu.Lock()
	s.past[number] = len(s.waiting) // nobody waits for that
	s.mu.Unlock()
	return <-answer
}

func (s *Sage) Hear(number byte, text string) {
	s.mu.Lock()
	answer := s.waiting[number]
	delete(s.waiting, number)
	s.mu.Unlock()
	if answer != nil {
		answer <- text
	}
}
