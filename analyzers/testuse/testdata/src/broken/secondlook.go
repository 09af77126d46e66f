package broken

import "sync"

// Quays hands out one quayPlace for each ship.
type Quays struct {
	mu    sync.Mutex
	of    map[string]*quayPlace
	taken int
}

type quayPlace struct{ number int }

func NewQuays() *Quays { return &Quays{of: map[string]*quayPlace{}} }

// Moor looks again, and gives the lock up once more.
func (b *Quays) Moor(ship string, dredge func() *quayPlace) *quayPlace {
	b.mu.Lock()
	// Double-check that no other goroutine has moored the ship.
	if at, ok := b.of[ship]; ok { // want `two goroutines can both pass the test of b.of\[ship\] and both set it: b.mu is released in between`
		b.mu.Unlock()
		return at
	}
	b.mu.Unlock()

	at := dredge()

	b.mu.Lock()
	b.taken++
	at.number = b.taken
	b.of[ship] = at
	b.mu.Unlock()
	return at
}
