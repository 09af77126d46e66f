package fine

import (
	"math"
	"sync"
)

// Berths counts the ships at each quay.
type Berths struct {
	mu   sync.Mutex
	uses map[string]uint64
}

func NewBerths(quays []string) *Berths {
	b := &Berths{uses: make(map[string]uint64)}
	for _, q := range quays {
		b.uses[q] = 0
	}
	return b
}

// Moor gives the quay with the fewest ships.
func (b *Berths) Moor() string {
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

func (b *Berths) Leave(q string) {
	b.mu.Lock()
	if n, ok := b.uses[q]; ok {
		b.uses[q] = n - 1
	}
	b.mu.Unlock()
}
