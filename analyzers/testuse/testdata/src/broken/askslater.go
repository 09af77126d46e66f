package broken

import (
	"errors"
	"sync/atomic"
	"time"
)

var errTooSoon = errors.New("too soon")

// A Doorbell rings once in a while, however often it is pressed.
type Doorbell struct {
	presses, lastRing atomic.Int64
	limit             int64
	pause             time.Duration
}

// Ring is for whoever finds that it has not rung for long: nothing else is asked.
func (b *Doorbell) Ring(f func() error) (err error) {
	if b.presses.Load() > b.limit {
		since := time.Duration(time.Now().UnixNano() - b.lastRing.Load()) // want `two goroutines can both pass the test of b.lastRing and both set it: two atomic operations are not one`
		if since < b.pause {
			return errTooSoon
		}
	}
	defer func() {
		b.presses.Add(1)
		b.lastRing.Store(time.Now().UnixNano())
	}()
	return f()
}
