package broken

import "sync/atomic"

// Track is writable while it is bound and connected.
type Track struct {
	bound     atomic.Bool
	connected atomic.Bool
	writable  atomic.Bool
	limit     atomic.Int64
	used      atomic.Int64
	full      atomic.Bool
}

func (t *Track) Bind() {
	t.bound.Store(true)
	t.changed()
}

func (t *Track) Unbind() {
	t.bound.Store(false)
	t.changed()
}

func (t *Track) Connect() {
	if !t.connected.Swap(true) {
		t.changed()
	}
}

func (t *Track) changed() {
	t.writable.Store(t.connected.Load() && t.bound.Load()) // want `the one that has looked at t.connected earlier can store later: t.writable then stays wrong`
}

func (t *Track) Write() bool { return t.writable.Load() }

func (t *Track) Use(n int64) {
	t.used.Add(n)
	t.check()
}

func (t *Track) Limit(n int64) {
	t.limit.Store(n)
	t.check()
}

// check is not all that tells whether the track is full.
func (t *Track) check() { t.full.Store(t.used.Load() > t.limit.Load()) }

func (t *Track) Reset() { t.full.Store(false) }
