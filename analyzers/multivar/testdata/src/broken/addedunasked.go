package broken

import (
	"errors"
	"sync"
)

type closer interface{ Close() error }

var errHarbourClosed = errors.New("closed")

// A Harbour refuses ships when it is closed, and takes in pilots all the same.
type Harbour struct {
	mu     sync.Mutex
	done   chan struct{}
	ships  map[closer]struct{}
	pilots map[closer]struct{}
}

func NewHarbour() *Harbour {
	return &Harbour{done: make(chan struct{}), ships: map[closer]struct{}{}, pilots: map[closer]struct{}{}}
}

func (h *Harbour) AddShip(c closer) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.done:
		return errHarbourClosed
	default:
	}
	h.ships[c] = struct{}{}
	return nil
}

func (h *Harbour) AddPilot(c closer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pilots[c] = struct{}{} // want `h.pilots is added to here without a look at h.done, as \(\*Harbour\).AddShip looks under the lock before it adds: what comes after \(\*Harbour\).Close has walked through h.pilots is never ended`
}

func (h *Harbour) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.done:
	default:
		close(h.done)
	}
	h.endPilots()
	for c := range h.ships {
		c.Close()
	}
}

func (h *Harbour) endPilots() {
	for c := range h.pilots {
		h.endPilot(c)
	}
}

func (h *Harbour) endPilot(c closer) {
	delete(h.pilots, c)
	c.Close()
}

// An Aviary is like it, with a flag.
type Aviary struct {
	mu     sync.Mutex
	closed bool
	birds  []closer
	perch  map[string]closer
}

func (a *Aviary) AddBird(c closer) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return errHarbourClosed
	}
	a.birds = append(a.birds, c)
	return nil
}

func (a *Aviary) Seat(name string, c closer) {
	a.mu.Lock()
	a.perch[name] = c // want `a.perch is added to here without a look at a.closed`
	a.mu.Unlock()
}

func (a *Aviary) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	for _, c := range a.birds {
		c.Close()
	}
	for _, c := range a.perch {
		c.Close()
	}
}

// A Menagerie takes its animals off the list before it ends them.
type Menagerie struct {
	mu     sync.Mutex
	closed bool
	tame   []closer
	wild   []closer
}

func (m *Menagerie) AddTame(c closer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errHarbourClosed
	}
	m.tame = append(m.tame, c)
	return nil
}

func (m *Menagerie) AddWild(c closer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wild = append(m.wild, c) // want `m.wild is added to here without a look at m.closed`
}

func (m *Menagerie) Close() {
	m.mu.Lock()
	m.closed = true
	tame, wild := m.tame, m.wild
	m.tame, m.wild = nil, nil
	m.mu.Unlock()
	for _, c := range tame {
		c.Close()
	}
	for _, c := range wild {
		c.Close()
	}
}

// Serve looks whether the harbour is closed when it has added the pilot.
func (h *Harbour) Serve(c closer) error {
	h.takeIn(c)
	select {
	case <-h.done:
		return errHarbourClosed
	default:
		return nil
	}
}

func (h *Harbour) takeIn(c closer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pilots[c] = struct{}{} // want `h.pilots is added to here without a look at h.done`
}
