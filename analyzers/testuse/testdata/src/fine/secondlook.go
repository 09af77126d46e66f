package fine

import "sync"

// Quays hands out one quayPlace for each ship.
type Quays struct {
	mu    sync.Mutex
	of    map[string]*quayPlace
	taken int
}

type quayPlace struct{ number int }

func NewQuays() *Quays { return &Quays{of: map[string]*quayPlace{}} }

// Moor looks again where it counts.
func (b *Quays) Moor(ship string, dredge func() *quayPlace) *quayPlace {
	b.mu.Lock()
	if at, ok := b.of[ship]; ok {
		b.mu.Unlock()
		return at
	}
	b.mu.Unlock()

	at := dredge()

	b.mu.Lock()
	defer b.mu.Unlock()
	// Double-check that no other goroutine has moored the ship.
	if other, ok := b.of[ship]; ok {
		return other
	}
	b.taken++
	at.number = b.taken
	b.of[ship] = at
	return at
}
