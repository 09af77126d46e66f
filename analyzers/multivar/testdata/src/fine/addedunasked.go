package fine

import (
	"errors"
	"sync"
	"sync/atomic"
)

type mooring interface{ Close() error }

var errMarinaClosed = errors.New("closed")

// A Marina looks at the flag wherever it adds to what Close ends; what Close leaves alone is added to at any time.
type Marina struct {
	mu      sync.Mutex
	closed  bool
	ships   map[mooring]struct{}
	pilots  map[mooring]struct{}
	notices map[string]mooring
}

func (m *Marina) AddShip(c mooring) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errMarinaClosed
	}
	m.ships[c] = struct{}{}
	return nil
}

func (m *Marina) AddPilot(c mooring) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errMarinaClosed
	}
	m.addPilot(c)
	return nil
}

func (m *Marina) addPilot(c mooring) { m.pilots[c] = struct{}{} }

func (m *Marina) Post(name string, c mooring) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notices[name] = c
}

func (m *Marina) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	for c := range m.ships {
		c.Close()
	}
	for c := range m.pilots {
		c.Close()
	}
}

// A Rookery has nobody who looks: that anybody adds after the end is not known.
type Rookery struct {
	mu     sync.Mutex
	closed bool
	nests  []mooring
}

func (r *Rookery) Add(c mooring) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.nests = append(r.nests, c)
}

func (r *Rookery) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, c := range r.nests {
		c.Close()
	}
}

// A Boathouse looks before it takes the lock, in what calls the function that adds: that is another matter.
type Boathouse struct {
	mu     sync.Mutex
	closed atomic.Bool
	oars   []mooring
	boats  []mooring
}

func (b *Boathouse) AddOar(c mooring) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed.Load() {
		return errMarinaClosed
	}
	b.oars = append(b.oars, c)
	return nil
}

func (b *Boathouse) AddBoat(c mooring) error {
	if b.closed.Load() {
		return errMarinaClosed
	}
	b.launch(c)
	return nil
}

func (b *Boathouse) launch(c mooring) { b.add(c) }

func (b *Boathouse) add(c mooring) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.boats = append(b.boats, c)
}

func (b *Boathouse) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed.Store(true)
	for _, c := range b.oars {
		c.Close()
	}
	for _, c := range b.boats {
		c.Close()
	}
}
