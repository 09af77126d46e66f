package broken

import (
	"sync"
	"time"
)

// Estuary is watched while ships come and go.
type Estuary struct {
	mu    sync.Mutex
	ships []string
	tide  int
}

// Open begins the watch.
func Open(every time.Duration, tell func([]string)) *Estuary {
	h := &Estuary{}
	go h.watch(every, tell)
	return h
}

// Look takes a new look at the water.
func (h *Estuary) Look(ships []string, tide int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ships = ships
	h.tide = tide
}

func (h *Estuary) watch(every time.Duration, tell func([]string)) {
	last := 0
	for range time.Tick(every) {
		h.mu.Lock()
		ships := h.ships
		tide := h.tide
		h.mu.Unlock()
		if h.tide != last { // want `h.tide is read here once more after h.mu was released: tide has the value of it that was read under the lock, and \(\*Estuary\).Look can have stored another one`
			tell(ships)
		}
		last = tide
	}
}

// Tide is read by those who have no lock, as it happens.
func (h *Estuary) Tide() int { return h.tide }
