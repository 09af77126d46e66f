package fine

import "sync/atomic"

type notice struct {
	url  string
	loud bool
}

// Announcer counts what is on its way, and shows that: each takes off what it has added.
type Announcer struct {
	pending atomic.Int64
	open    func(url string) error
	wants   func(notice) bool
}

func (a *Announcer) Announce(list []notice) {
	for _, n := range list {
		a.pending.Add(1)
		go a.announce(n)
	}
}

func (a *Announcer) announce(n notice) {
	if a.pending.Load() > 0 {
		if a.wants(n) {
			if a.open(n.url) != nil {
				return
			}
			a.pending.Add(-1)
		}
	}
}
