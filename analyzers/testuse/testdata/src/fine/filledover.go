package fine

import (
	"io"
	"sync"
)

type mooring struct {
	ship io.Closer
	days int
}

// A Quayside has a fixed number of moorings.
type Quayside struct {
	mu       sync.Mutex
	moorings []mooring
}

func (h *Quayside) free() int {
	for i := range h.moorings {
		if h.moorings[i].ship == nil {
			return i
		}
	}
	return -1
}

func (h *Quayside) leave(i int) {
	old := h.moorings[i]
	h.moorings[i] = mooring{}
	h.mu.Unlock()
	defer h.mu.Lock()
	old.ship.Close()
}

// Again looks for a free one after each that has left.
func (h *Quayside) Again(ship io.Closer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.free()
	for i < 0 {
		h.leave(0)
		i = h.free()
	}
	h.moorings[i] = mooring{ship: ship}
}

// Replace closes the old one when the new one is in its place.
func (h *Quayside) Replace(ship io.Closer) {
	h.mu.Lock()
	i := h.free()
	if i < 0 {
		i = 0
	}
	old := h.moorings[i]
	h.moorings[i] = mooring{}
	h.moorings[i] = mooring{ship: ship}
	h.mu.Unlock()
	if old.ship != nil {
		old.ship.Close()
	}
}

// A Jetty has one ship, which is sent for where there is none, but while it is replaced.
type Jetty struct {
	mu   sync.Mutex
	busy bool
	ship io.Closer
	send func() io.Closer
}

func (p *Jetty) Ship() io.Closer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy {
		return nil
	}
	if p.ship == nil {
		p.ship = p.send()
	}
	return p.ship
}

func (p *Jetty) Replace(ship io.Closer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := p.ship; old != nil {
		p.ship = nil
		p.busy = true
		p.mu.Unlock()
		old.Close()
		p.mu.Lock()
		p.busy = false
	}
	p.ship = ship
}
