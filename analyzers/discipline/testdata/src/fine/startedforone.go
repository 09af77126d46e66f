package fine

import "sync"

// guest has a room.
type guest struct {
	keys map[int]bool
}

// Inn knows its guests.
type Inn struct {
	mu     sync.Mutex
	guests map[string]*guest
}

func (n *Inn) guestOf(name string) *guest {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.guests[name]
}

func (n *Inn) Leave(name string, key int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if g, ok := n.guests[name]; ok {
		delete(g.keys, key)
	}
}

// Start readies the inn: others come afterwards.
func (n *Inn) Start() {
	g := n.guestOf("keeper")
	g.keys[0] = true
}
