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
