package broken

import "sync"

// Moorings are numbered.
type Moorings struct {
	mu    sync.Mutex
	taken map[int]bool
}

func (b *Moorings) lowest() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := 0; ; i++ {
		if !b.taken[i] {
			return i
		}
	}
}

// Moor takes a berth that another ship may have been given as well.
func (b *Moorings) Moor() int {
	i := b.lowest() // want `two goroutines can both pass the test of b.taken \(in b.lowest\) and both set it: b.mu is released in between`
	b.mu.Lock()
	b.taken[i] = true
	b.mu.Unlock()
	return i
}

func (b *Moorings) CastOff(i int) {
	b.mu.Lock()
	delete(b.taken, i)
	b.mu.Unlock()
}
