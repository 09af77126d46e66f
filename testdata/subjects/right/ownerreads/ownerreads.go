// Package ownerreads has one goroutine that writes, and locks only against those who read.
package ownerreads

import "sync"

// Poller has one goroutine, that of Run.
type Poller struct {
	mu     sync.Mutex
	offset int64
	last   string
	failed bool
}

// Run polls until next says that it is over; it is called once, in a goroutine of its own.
//
// Right: this goroutine alone writes the fields; it needs the lock to write, for those who read,
// but not to read what it has written itself.
func (p *Poller) Run(next func(int64) (string, bool)) {
	for {
		s, ok := next(p.offset)
		if !ok {
			return
		}
		if p.failed {
			p.recover()
		}
		if s == "" {
			p.fail()
			continue
		}
		p.mu.Lock()
		p.offset++
		p.last = s
		p.mu.Unlock()
	}
}

// recover and fail are called by Run alone.
func (p *Poller) recover() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed = false
}

func (p *Poller) fail() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed = true
}

// State is for others.
func (p *Poller) State() (int64, string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.offset, p.last, p.failed
}
