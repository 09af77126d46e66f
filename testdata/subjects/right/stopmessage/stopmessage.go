// Package stopmessage tells the receiver to close.
package stopmessage

import "sync"

type order struct {
	stop bool
	v    int
}

// Bus has one receiver.
type Bus struct {
	mu     sync.RWMutex
	closed bool
	orders chan order
	sum    int
}

// New starts one.
func New() *Bus {
	b := &Bus{orders: make(chan order)}
	go b.run()
	return b
}

func (b *Bus) run() {
	for o := range b.orders {
		if o.stop {
			close(b.orders)
			return
		}
		b.sum += o.v
	}
}

// Send sends. Right: it holds mu from the look to the end of the send; Close holds it for
// writing from the setting of closed to the end of its own message, which is the last.
func (b *Bus) Send(v int) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.closed {
		return false
	}
	b.orders <- order{v: v}
	return true
}

// Close sends the last one.
func (b *Bus) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.closed = true
	b.orders <- order{stop: true}
}
