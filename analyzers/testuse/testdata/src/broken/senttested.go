package broken

import "sync"

// The second one sends on nil, for ever, and holds the lock.
type Ballot struct {
	mu     sync.Mutex
	result chan bool
	yes    int
}

func (b *Ballot) Cast(yes bool) {
	if b.result == nil { // want `two goroutines can both pass the test of b.result and both set it: b.mu is taken only afterwards`
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if yes {
		b.yes++
	}
	if !yes || b.yes > 3 {
		b.result <- yes
		b.result = nil
	}
}
