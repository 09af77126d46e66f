package fine

import "sync"

// Moorings are looked at under the lock that is held until one is taken.
type Moorings struct {
	mu    sync.Mutex
	taken map[int]bool
}

func (b *Moorings) lowest() int {
	for i := 0; ; i++ {
		if !b.taken[i] {
			return i
		}
	}
}

func (b *Moorings) Moor() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := b.lowest()
	b.taken[i] = true
	return i
}

func (b *Moorings) CastOff(i int) {
	b.mu.Lock()
	delete(b.taken, i)
	b.mu.Unlock()
}
