package fine

import (
	"slices"
	"sync"
)

// The index is found where it is used, or looked for again.

type Bookings struct {
	mu    sync.Mutex
	seats []booking
}

type booking struct {
	name string
	size int
}

func NewBookings() *Bookings { return &Bookings{} }

func (b *Bookings) Add(g booking) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seats = append(b.seats, g)
}

func (b *Bookings) indexLocked(name string) int {
	return slices.IndexFunc(b.seats, func(g booking) bool { return g.name == name })
}

func (b *Bookings) Leave(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := b.indexLocked(name); i >= 0 {
		b.seats = slices.Delete(b.seats, i, i+1)
	}
}

func (b *Bookings) Drop(name string, ask func(booking) bool) {
	b.mu.Lock()
	i := b.indexLocked(name)
	if i < 0 {
		b.mu.Unlock()
		return
	}
	who := b.seats[i]
	b.mu.Unlock()
	if !ask(who) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := b.indexLocked(name); i >= 0 {
		b.seats = slices.Delete(b.seats, i, i+1)
	}
}

// DropByName takes out whoever has the name.
func (b *Bookings) DropByName(size int) {
	b.mu.Lock()
	name := ""
	for _, g := range b.seats {
		if g.size > size {
			name = g.name
		}
	}
	b.mu.Unlock()
	b.mu.Lock()
	b.seats = slices.DeleteFunc(b.seats, func(g booking) bool { return g.name == name })
	b.mu.Unlock()
}
