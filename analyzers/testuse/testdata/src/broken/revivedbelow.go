package broken

import (
	"sync"
	"time"
)

type rental struct {
	boat string
	back time.Time
}

// BoatHouse lists the rentals that are over, and strikes them off later.
type BoatHouse struct {
	mu      sync.RWMutex
	rentals map[string]*rental
	fleet   map[string]rental
	ttl     time.Duration
}

func (h *BoatHouse) Extend(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.rentals[name]; r != nil {
		r.back = time.Now().Add(h.ttl)
	}
}

func (h *BoatHouse) over(now time.Time) (names []string) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for name, r := range h.rentals {
		if r.back.After(now) { // want `back can be changed by \(\*BoatHouse\).Extend after it was looked at here and before the entry is deleted from h.rentals`
			continue
		}
		names = append(names, name)
	}
	return
}

func (h *BoatHouse) StrikeOff() {
	for _, name := range h.over(time.Now()) {
		h.mu.Lock()
		delete(h.rentals, name)
		h.mu.Unlock()
	}
}

func (h *BoatHouse) overdue() []*rental {
	h.mu.RLock()
	defer h.mu.RUnlock()
	var list []*rental
	for _, r := range h.rentals {
		if time.Until(r.back) < 0 { // want `back can be changed by \(\*BoatHouse\).Extend after it was looked at here and before the entry is deleted from h.rentals`
			list = append(list, r)
		}
	}
	return list
}

func (h *BoatHouse) strike(name string) {
	h.mu.Lock()
	delete(h.rentals, name)
	h.mu.Unlock()
}

func (h *BoatHouse) StrikeOffBySteps() int {
	list := h.overdue()
	for _, r := range list {
		h.strike(r.boat)
	}
	return len(list)
}

// Rent puts another rental in the place of the old one.
func (h *BoatHouse) Rent(name, boat string) {
	h.mu.Lock()
	h.fleet[name] = rental{boat: boat, back: time.Now().Add(h.ttl)}
	h.mu.Unlock()
}

func (h *BoatHouse) listFleet() []string {
	var due []string
	now := time.Now()
	h.mu.RLock()
	for name, r := range h.fleet {
		if now.After(r.back) { // want `\(\*BoatHouse\).Rent can put a fresh entry into h.fleet after the old one was looked at here and before the key is deleted`
			due = append(due, name)
		}
	}
	h.mu.RUnlock()
	return due
}

func (h *BoatHouse) StrikeFleet() {
	due := h.listFleet()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range due {
		delete(h.fleet, name)
	}
}

func (h *BoatHouse) StrikeFleetAlone() {
	var due []string
	h.mu.RLock()
	for name, r := range h.fleet {
		if time.Since(r.back) > 0 { // want `\(\*BoatHouse\).Rent can put a fresh entry into h.fleet after the old one was looked at here`
			due = append(due, name)
		}
	}
	h.mu.RUnlock()
	h.mu.Lock()
	for _, name := range due {
		delete(h.fleet, name)
	}
	h.mu.Unlock()
}
