package broken

import "sync/atomic"

type notice struct {
	url  string
	loud bool
}

// Announcer opens no more pages than it was told to.
type Announcer struct {
	left  atomic.Int64
	open  func(url string) error
	wants func(notice) bool
}

func (a *Announcer) SetLimit(n int64) { a.left.Store(n) }

func (a *Announcer) Announce(list []notice) {
	for _, n := range list {
		go a.announce(n)
	}
}

func (a *Announcer) announce(n notice) {
	opens := false
	if a.left.Load() > 0 { // want `two goroutines can both pass the test of a.left and both add to it: two atomic operations are not one`
		opens = a.wants(n)
		if opens {
			if a.open(n.url) != nil {
				return
			}
			a.left.Add(-1)
		}
	}
	_ = opens
}
