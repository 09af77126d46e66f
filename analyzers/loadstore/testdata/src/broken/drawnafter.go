package broken

import "sync/atomic"

var lastID uint64

type trackingID uint64

func newTrackingID() trackingID {
	atomic.AddUint64(&lastID, 1) // want `two goroutines can both count lastID up before either reads it, and go on with the same number: use what AddUint64 returns`
	return trackingID(lastID)
}

// Tracked has a number of its own.
type Tracked struct{ id trackingID }

// Track returns another one.
func Track() *Tracked { return &Tracked{newTrackingID()} }

// Tickets gives each caller another number.
type Tickets struct{ n atomic.Int64 }

func (t *Tickets) Next() int64 {
	t.n.Add(1) // want `two goroutines can both count t.n up before either reads it, and go on with the same number: use what Add returns`
	return t.n.Load()
}
