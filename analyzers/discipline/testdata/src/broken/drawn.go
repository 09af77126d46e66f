package broken

import (
	"math/rand"
	"sync"
)

// A Lottery draws with the lock held for reading.
type Lottery struct {
	mu    sync.RWMutex
	rnd   *rand.Rand
	names []string
}

func NewLottery(seed int64) *Lottery { return &Lottery{rnd: rand.New(rand.NewSource(seed))} }

func (l *Lottery) Draw() string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.names[l.rnd.Intn(len(l.names))] // want `l.rnd.Intn changes l.rnd, and l.mu is held for reading only, which others can do at the same time`
}

func (l *Lottery) Enter(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names = append(l.names, name)
}
