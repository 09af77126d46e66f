package broken

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
	quays    []io.Closer
}

func (h *Quayside) free() int {
	for i := range h.moorings {
		if h.moorings[i].ship == nil {
			return i
		}
	}
	return -1
}

// leave empties the mooring, and gives the lock up to close the ship.
func (h *Quayside) leave(i int) {
	old := h.moorings[i]
	h.moorings[i] = mooring{}
	h.mu.Unlock()
	defer h.mu.Lock()
	old.ship.Close()
}

func (h *Quayside) Moor(ship io.Closer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.free()
	if i < 0 {
		i = 0
		h.leave(i) // want `h.moorings\[i\] is filled after h.mu was released since it was emptied: by then another goroutine can have found it empty \(\(\*Quayside\).free\) and filled it`
	}
	h.moorings[i] = mooring{ship: ship}
}

func (h *Quayside) Land(ship io.Closer) {
	h.mu.Lock()
	i := -1
	for j, quay := range h.quays {
		if quay == nil {
			i = j
		}
	}
	if i < 0 {
		i = 0
		old := h.quays[i]
		h.quays[i] = nil // want `h.quays\[i\] is filled after h.mu was released since it was emptied: by then another goroutine can have found it empty \(\(\*Quayside\).Land\) and filled it`
		h.mu.Unlock()
		old.Close()
		h.mu.Lock()
	}
	h.quays[i] = ship
	h.mu.Unlock()
}

// A Jetty has one ship, which is sent for where there is none.
type Jetty struct {
	mu     sync.Mutex
	closed bool
	ship   io.Closer
	send   func() io.Closer
}

func (p *Jetty) Ship() io.Closer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	if p.ship == nil {
		p.ship = p.send()
	}
	return p.ship
}

func (p *Jetty) leave() {
	old := p.ship
	p.ship = nil
	p.mu.Unlock()
	old.Close()
	p.mu.Lock()
}

func (p *Jetty) Replace(ship io.Closer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ship != nil {
		p.leave() // want `p.ship is filled after p.mu was released since it was emptied: by then another goroutine can have found it empty \(\(\*Jetty\).Ship\) and filled it`
	}
	p.ship = ship
}
