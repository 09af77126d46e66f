package fine

import (
	"crypto/rand"
	"sync"
	"time"
)

type dock struct {
	ship  string
	until time.Time
	left  bool
}

type Docks struct {
	mu      sync.Mutex
	byPlace sync.Map // place -> dock
	locked  sync.Map // place -> dock, under mu
	once    sync.Map // place -> dock
	tickets sync.Map // ticket -> dock
	ttl     time.Duration
}

func (d *Docks) Moor(place, ship string) {
	d.byPlace.Store(place, dock{ship: ship, until: time.Now().Add(d.ttl)})
}

// Sweep leaves a fresh one.
func (d *Docks) Sweep(now time.Time) {
	d.byPlace.Range(func(k, v any) bool {
		if v.(dock).until.Before(now) {
			d.byPlace.CompareAndDelete(k, v)
		}
		return true
	})
}

// SweepAgain looks again.
func (d *Docks) SweepAgain(now time.Time) {
	var old []any
	d.byPlace.Range(func(k, v any) bool {
		if v.(dock).until.Before(now) {
			old = append(old, k)
		}
		return true
	})
	for _, k := range old {
		if v, ok := d.byPlace.Load(k); ok && d.byPlace.CompareAndDelete(k, v) {
			println("gone")
		}
	}
}

// Left asks for no time.
func (d *Docks) Left() {
	d.byPlace.Range(func(k, v any) bool {
		if v.(dock).left {
			d.byPlace.Delete(k)
		}
		return true
	})
}

// Clear deletes all there is.
func (d *Docks) Clear() {
	d.byPlace.Range(func(k, v any) bool {
		d.byPlace.Delete(k)
		return true
	})
}

func (d *Docks) MoorLocked(place, ship string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.locked.Store(place, dock{ship: ship, until: time.Now().Add(d.ttl)})
}

func (d *Docks) SweepLocked(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.locked.Range(func(k, v any) bool {
		if v.(dock).until.Before(now) {
			d.locked.Delete(k)
		}
		return true
	})
}

// MoorOnce stores only where there is nothing.
func (d *Docks) MoorOnce(place, ship string) bool {
	_, taken := d.once.LoadOrStore(place, dock{ship: ship, until: time.Now().Add(d.ttl)})
	return !taken
}

func (d *Docks) SweepOnce(now time.Time) {
	d.once.Range(func(k, v any) bool {
		if v.(dock).until.Before(now) {
			d.once.Delete(k)
		}
		return true
	})
}

func newTicketID() string {
	var b [8]byte
	rand.Read(b[:])
	return string(b[:])
}

// Ticket has a key of its own, which never comes again.
func (d *Docks) Ticket(ship string) string {
	id := newTicketID()
	d.tickets.Store(id, dock{ship: ship, until: time.Now().Add(d.ttl)})
	return id
}

func (d *Docks) SweepTickets(now time.Time) {
	d.tickets.Range(func(k, v any) bool {
		if v.(dock).until.Before(now) {
			d.tickets.Delete(k)
		}
		return true
	})
}
