package broken

import (
	"math/rand"
	"sync"
)

type phone struct{ number string }

// Telephones gives each phone one line, by which it is found later.
type Telephones struct {
	sync.RWMutex
	lines map[int]*phone
}

func (t *Telephones) Plug(p *phone) int {
	t.RLock()
	for line, other := range t.lines { // want `two goroutines can both meet no such one in t\.lines and both put one there: t\.RWMutex is released in between`
		if other == p {
			t.RUnlock()
			return line
		}
	}
	t.RUnlock()

	line := rand.Int()

	t.Lock()
	t.lines[line] = p
	t.Unlock()
	return line
}

func (t *Telephones) Unplug(p *phone) {
	t.Lock()
	defer t.Unlock()
	for line, other := range t.lines {
		if other == p {
			delete(t.lines, line)
			return
		}
	}
}

// Wedding has each name once.
type Wedding struct {
	mu   sync.Mutex
	list []*guest
}

type guest struct {
	name string
	card []byte
}

func (g *Wedding) Invite(name string) bool {
	g.mu.Lock()
	for _, other := range g.list { // want `two goroutines can both meet no such one in g\.list and both put one there: g\.mu is released in between`
		if name == other.name {
			g.mu.Unlock()
			return false
		}
	}
	g.mu.Unlock()
	card := make([]byte, 1<<20)
	rand.Read(card)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.list = append(g.list, &guest{name, card})
	return true
}
