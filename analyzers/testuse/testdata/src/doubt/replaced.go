package doubt

import "sync"

// Brokers are fetched where there are none.
type Brokers struct {
	mu    sync.RWMutex
	known []*Node
}

func (b *Brokers) fetch() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.known) == 0 {
		b.known = append(b.known, &Node{})
	}
}

func (b *Brokers) Forget() {
	b.mu.Lock()
	b.known = nil
	b.mu.Unlock()
}

// All goes on with what it has read last.
func (b *Brokers) All() []*Node {
	b.mu.RLock()
	all := b.known // want `b.known .* \(doubtful: it is read again, into the same local\)`
	if len(all) == 0 {
		b.mu.RUnlock()
		b.fetch()
		b.mu.RLock()
		all = b.known
	}
	b.mu.RUnlock()
	return all
}

// First relies on what it has seen.
func (b *Brokers) First() *Node {
	b.mu.RLock()
	all := b.known // want `another goroutine can change b.known after it was tested and before it is used: b.mu is released in between$`
	b.mu.RUnlock()
	if len(all) > 0 {
		b.mu.RLock()
		defer b.mu.RUnlock()
		return b.known[0]
	}
	return nil
}
