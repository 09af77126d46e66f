package broken

import (
	"container/ring"
	"sync"
	"sync/atomic"
	"time"
)

// Tombola has its lots on a wheel.
type Tombola struct {
	mu   sync.RWMutex
	lots *ring.Ring
	at   int
	all  []string
}

func (t *Tombola) Put(lot string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lots = t.lots.Next()
	t.lots.Value = lot
}

// All begins with the oldest.
func (t *Tombola) All() (list []any) {
	t.mu.Lock()
	t.lots = t.lots.Next() // want `another goroutine can move t.lots on after it was moved on and before it is gone on from here: t.mu is released in between`
	t.mu.Unlock()

	t.mu.RLock()
	defer t.mu.RUnlock()
	t.lots.Do(func(v any) { list = append(list, v) })
	return list
}

// Turn gives the next one.
func (t *Tombola) Turn() string {
	t.mu.Lock()
	t.at = (t.at + 1) % len(t.all) // want `another goroutine can move t.at on after it was moved on`
	t.mu.Unlock()
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.all[t.at]
}

// SpringTide keeps the highest water, and when that was.
type SpringTide struct {
	count  int64
	height int64
	when   int64
}

func (t *SpringTide) Mark(height int64) {
	atomic.AddInt64(&t.count, 1)
	if height > atomic.LoadInt64(&t.height) { // want `two goroutines can both pass the test of t.height and both set it: two atomic operations are not one`
		atomic.StoreInt64(&t.height, height)
		atomic.StoreInt64(&t.when, time.Now().UnixNano())
	}
}
