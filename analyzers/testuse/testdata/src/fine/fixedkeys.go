package fine

import (
	"math"
	"sync"
)

// Stalls counts the horses at each stall.
type Stalls struct {
	mu   sync.Mutex
	uses map[string]uint64
}

func NewStalls(stalls []string) *Stalls {
	b := &Stalls{uses: make(map[string]uint64)}
	for _, q := range stalls {
		b.uses[q] = 0
	}
	return b
}

// Moor gives the stall with the fewest horses.
func (b *Stalls) Moor() string {
	if len(b.uses) == 0 {
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

func (b *Stalls) Leave(q string) {
	b.mu.Lock()
	if n, ok := b.uses[q]; ok {
		b.uses[q] = n - 1
	}
	b.mu.Unlock()
}
