// Package safesend takes a send on a closed channel for a client that is gone.
package safesend

import "sync"

type client struct{ out chan string }

// give says whether the client has got it. Right: a channel that was closed meanwhile is what
// the recover is for.
func (c *client) give(s string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	select {
	case c.out <- s:
	default:
	}
	return true
}

// Room has clients.
type Room struct {
	mu      sync.Mutex
	clients map[*client]bool
}

// New makes one.
func New() *Room { return &Room{clients: map[*client]bool{}} }

// Say tells all.
func (r *Room) Say(s string) {
	r.mu.Lock()
	list := make([]*client, 0, len(r.clients))
	for c := range r.clients {
		list = append(list, c)
	}
	r.mu.Unlock()
	for _, c := range list {
		if !c.give(s) {
			println("gone")
		}
	}
}

// Join puts one in.
func (r *Room) Join() (<-chan string, func()) {
	c := &client{out: make(chan string, 4)}
	r.mu.Lock()
	r.clients[c] = true
	r.mu.Unlock()
	return c.out, func() { r.leave(c) }
}

func (r *Room) leave(c *client) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clients[c] {
		delete(r.clients, c)
		close(c.out)
	}
}
