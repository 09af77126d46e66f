package broken

import (
	"maps"
	"slices"
	"sync/atomic"
)

type hall struct {
	seats map[string]int
	order []string
	rev   int
}

// Hall is read without a lock; each change makes another one of it.
type Hall struct {
	now   atomic.Pointer[hall]
	names atomic.Pointer[[]string]
}

func NewHall() *Hall {
	h := &Hall{}
	h.now.Store(&hall{seats: map[string]int{}})
	return h
}

func (h *Hall) Seat(name string, n int) int {
	cur := h.now.Load() // want `two goroutines can both read h.now before either stores it`
	if cur.seats[name] == n {
		return cur.rev
	}
	next := &hall{seats: maps.Clone(cur.seats), rev: cur.rev + 1}
	next.seats[name] = n
	h.now.Store(next)
	return next.rev
}

func (h *Hall) Copied(name string, n int) {
	cur := h.now.Load() // want `two goroutines can both read h.now before either stores it`
	seats := make(map[string]int, len(cur.seats)+1)
	for k, v := range cur.seats {
		seats[k] = v
	}
	seats[name] = n
	h.now.Store(&hall{seats: seats})
}

func (h *hall) without(name string) *hall {
	n := &hall{seats: map[string]int{}}
	for k, v := range h.seats {
		if k != name {
			n.seats[k] = v
		}
	}
	return n
}

func (h *Hall) Leave(name string) {
	h.now.Store(h.now.Load().without(name)) // want `two goroutines can both read h.now before either stores it`
}

func (h *Hall) snapshot() *hall { return h.now.Load() }

func (h *Hall) publish(n *hall) { h.now.Store(n) }

func (h *Hall) Enter(name string) {
	cur := h.snapshot() // want `two goroutines can both read h.now \(in h.snapshot\) before either stores it`
	var next hall
	next.order = append(next.order, cur.order...)
	next.order = append(next.order, name)
	h.publish(&next)
}

func (h *Hall) list() []string {
	if p := h.names.Load(); p != nil {
		return *p
	}
	return nil
}

func (h *Hall) Name(name string) {
	next := append(slices.Clone(h.list()), name) // want `two goroutines can both read h.names \(in h.list\) before either stores it`
	h.names.Store(&next)
}

// Rename marks keys alone.
func (h *Hall) Rename(of string) {
	next := &hall{seats: map[string]int{of: 1}}
	for k := range h.now.Load().seats { // want `two goroutines can both read h.now before either stores it`
		next.seats[k] = 1
	}
	h.now.Store(next)
}
