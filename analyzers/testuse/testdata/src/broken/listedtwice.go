package broken

import "sync"

type voyage struct{ miles int }

// Anchorage keeps the voyages that are under way, and those that are over.
type Anchorage struct {
	mu     sync.Mutex
	away   sync.Map
	logged []voyage
	over   chan *voyage
}

func (h *Anchorage) Sail(ship string) { h.away.Store(ship, &voyage{}) }

// Land puts a voyage into the list twice when two report it.
func (h *Anchorage) Land(ship string) {
	if v, ok := h.away.Load(ship); ok { // want `two goroutines can both load Anchorage.away\[\] before either deletes it, and both put it into h.logged`
		h.mu.Lock()
		h.logged = append(h.logged, *(v.(*voyage)))
		h.mu.Unlock()
	}
	h.away.Delete(ship)
}

// Report tells of it twice.
func (h *Anchorage) Report(ship string) {
	v, ok := h.away.Load(ship) // want `two goroutines can both pass the test of h.away\[ship\] and both delete it`
	if !ok {
		return
	}
	h.over <- v.(*voyage)
	h.away.Delete(ship)
}
