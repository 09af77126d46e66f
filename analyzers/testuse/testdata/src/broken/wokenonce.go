package broken

import "sync"

type dberthState int

const (
	dberthFree dberthState = iota
	dberthDredged
	dberthGone
)

// DredgedBerth is dredged by one at a time.
type DredgedBerth struct {
	mu      sync.Mutex
	state   dberthState
	dredged chan struct{}
	inUse   bool
	left    chan struct{}
}

func (b *DredgedBerth) Dredge(wait bool) bool {
	b.mu.Lock()
	if b.state == dberthDredged { // want `b.state is looked at before the wait, which gives up b.mu, and not again afterwards`
		done := b.dredged
		b.mu.Unlock()
		if !wait {
			return false
		}
		<-done
		b.mu.Lock()
	}
	if b.state != dberthGone {
		b.state = dberthDredged
		b.dredged = make(chan struct{})
	}
	b.mu.Unlock()
	return true
}

func (b *DredgedBerth) Dredged() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.dredged)
	b.state = dberthFree
}

// The same with a flag.
func (b *DredgedBerth) Moor() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.inUse { // want `b.inUse is looked at before the wait`
		left := b.left
		b.mu.Unlock()
		<-left
		b.mu.Lock()
	}
	b.inUse = true
	b.left = make(chan struct{})
}

func (b *DredgedBerth) Leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inUse = false
	close(b.left)
}
