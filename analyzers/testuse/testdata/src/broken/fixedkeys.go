package broken

import (
	"math"
	"sync"
)

// Kennels counts the dogs at each kennel.
type Kennels struct {
	mu   sync.Mutex
	uses map[string]uint64
}

func NewKennels(kennels []string) *Kennels {
	b := &Kennels{uses: make(map[string]uint64)}
	for _, q := range kennels {
		b.uses[q] = 0
	}
	return b
}

// Moor gives the kennel with the fewest dogs.
func (b *Kennels) Moor() string {
	if len(b.uses) == 0 { // want `two goroutines can both pass the test of b.uses and both set it: b.mu is taken only afterwards`
		return ""
	}
	var best string
	fewest := uint64(math.MaxUint64)
	b.mu.Lock()
	for q, n := range b.uses {
		if n < fewest {
			best, fewest = q, n
		}
	}
	b.uses[best]++
	b.mu.Unlock()
	return best
}

func (b *Kennels) Leave(q string) {
	b.mu.Lock()
	b.uses[q]-- // which may be one that was not there before
	b.mu.Unlock()
}
