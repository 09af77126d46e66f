package fine

import (
	"math/rand"
	"sync"
)

// A Dealer draws with the lock held for writing, or from what all have in common.
type Dealer struct {
	mu    sync.RWMutex
	rnd   *rand.Rand
	cards []int
}

func (d *Dealer) Deal() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.cards[d.rnd.Intn(len(d.cards))]
}

func (d *Dealer) Show() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.cards[rand.Intn(len(d.cards))]
}
