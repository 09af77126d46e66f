package broken

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Stile lets so many in at a time.
type Stile struct {
	mu    sync.Mutex
	in    atomic.Int64
	limit int64
}

// Enter looks first and counts then.
func (d *Stile) Enter(work func()) error {
	if d.in.Load() >= d.limit { // want `two goroutines can both pass the test of d.in and both add to it`
		return errors.New("too many")
	}
	d.in.Add(1)
	go func() {
		defer d.in.Add(-1)
		work()
	}()
	return nil
}
