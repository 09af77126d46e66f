package broken

import (
	"net"
	"sync"
)

// Tavern lets guests in until it closes.

type Tavern struct {
	door   net.Listener
	guests tavernGuests
}

type tavernGuests struct {
	mu  sync.Mutex
	all map[net.Conn]bool
}

func (t *Tavern) Run() error {
	for {
		c, err := t.door.Accept()
		if err != nil {
			return err
		}
		t.guests.add(c)
		go t.serve(c)
	}
}

func (t *Tavern) serve(c net.Conn) {
	defer t.guests.remove(c)
	buf := make([]byte, 1)
	c.Read(buf)
}

func (t *Tavern) Close() error {
	err := t.door.Close()
	t.guests.endAll()
	return err
}

func (g *tavernGuests) add(c net.Conn) {
	g.mu.Lock()
	g.all[c] = true // want `g.all is put into without a look whether \(\*tavernGuests\).endAll has set it to nil under g.mu`
	g.mu.Unlock()
}

func (g *tavernGuests) remove(c net.Conn) {
	g.mu.Lock()
	delete(g.all, c)
	g.mu.Unlock()
}

func (g *tavernGuests) endAll() {
	g.mu.Lock()
	all := g.all
	g.all = nil
	g.mu.Unlock()
	for c := range all {
		c.Close()
	}
}
