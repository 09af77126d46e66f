package broken

import (
	"math"
	"sync"
)

// Hangars counts the planes at each hangar.
type Hangars struct {
	mu   sync.Mutex
	uses map[string]uint64
}

func NewHangars(hangars []string) *Hangars {
	b := &Hangars{uses: make(map[string]uint64)}
	for _, q := range hangars {
		b.uses[q] = 0
	}
	return b
}

// Moor gives the hangar with the fewest planes.
func (b *Hangars) Moor() string {
	if len(b.uses) == 0 { // want `len\(b.uses\) is accessed here without the lock that all other functions hold for it: b.mu in \(\*Hangars\).Leave`
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

func (b *Hangars) Leave(q string) {
	b.mu.Lock()
	b.uses[q]-- // which may be one that was not there before
	b.mu.Unlock()
}
