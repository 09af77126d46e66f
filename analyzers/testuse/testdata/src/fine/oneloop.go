package fine

import (
	"sync"
	"sync/atomic"
	"time"
)

// What one loop does, that refuses a second one, nothing does beside it.
var (
	wheelStarted int32
	wheelMu      sync.Mutex
	wheelGone    []int
	wheelEntries = map[int]*wheelEntry{}
	wheelEnd     = make(chan struct{})
)

type wheelEntry struct{ left int }

func TurnWheel() {
	if atomic.AddInt32(&wheelStarted, 1) != 1 {
		return
	}
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			sweepWheel()
		case <-wheelEnd:
			return
		}
	}
}

func sweepWheel() {
	if e := wheelEntries[0]; e != nil && e.left == 0 {
		wheelMu.Lock()
		wheelGone = append(wheelGone, 0)
		wheelMu.Unlock()
		delete(wheelEntries, 0)
	}
	if len(wheelGone) > 0 {
		wheelMu.Lock()
		wheelGone = wheelGone[:0]
		wheelMu.Unlock()
	}
}

func RemoveFromWheel(id int) {
	wheelMu.Lock()
	wheelGone = append(wheelGone, id)
	wheelMu.Unlock()
}

// drumTurns is asked for in another way.
var (
	drumTurns   atomic.Bool
	drumMu      sync.Mutex
	drumEntries = map[int]int{}
	drumWork    = make(chan int)
)

func TurnDrum() {
	if !drumTurns.CompareAndSwap(false, true) {
		return
	}
	defer drumTurns.Store(false)
	for id := range drumWork {
		drumMu.Lock()
		n, ok := drumEntries[id]
		drumMu.Unlock()
		if !ok {
			drumMu.Lock()
			drumEntries[id] = n + 1
			drumMu.Unlock()
		}
	}
}

func DrumOf(id int) int {
	drumMu.Lock()
	defer drumMu.Unlock()
	return drumEntries[id]
}
