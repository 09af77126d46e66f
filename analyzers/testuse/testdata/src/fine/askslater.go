package fine

import (
	"errors"
	"sync/atomic"
	"time"
)

var errResting = errors.New("resting")

// A Fusebox lets nothing through for a while when too much has failed.
type Fusebox struct {
	failures, lastFailure atomic.Int64
	limit                 int64
	pause                 time.Duration
}

// Run remembers when it failed, whatever the last failure was.
func (b *Fusebox) Run(f func() error) (err error) {
	if b.failures.Load() > b.limit {
		since := time.Duration(time.Now().UnixNano() - b.lastFailure.Load())
		if since < b.pause {
			return errResting
		}
	}
	defer func() {
		if err != nil {
			b.failures.Add(1)
			b.lastFailure.Store(time.Now().UnixNano())
		}
	}()
	return f()
}
