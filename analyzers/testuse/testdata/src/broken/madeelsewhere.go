package broken

import (
	"sync"

	"gauges"
)

// Beacon has a switch that another package has made of an integer.
type Beacon struct {
	mu    sync.Mutex
	dark  gauges.Switch
	lamp  chan struct{}
	spare func()
}

func (b *Beacon) Darken() {
	if b.dark.On() { // want `both pass the test of b.dark \(in b.dark.On\) and close b.lamp twice: two atomic operations are not one`
		return
	}
	b.dark.Set(true)
	b.mu.Lock()
	if b.spare != nil {
		b.spare()
		b.spare = nil
	}
	if b.lamp != nil {
		close(b.lamp)
	}
	b.mu.Unlock()
}

func (b *Beacon) Shine() {
	for !b.dark.On() {
		b.mu.Lock()
		b.lamp = make(chan struct{})
		lamp := b.lamp
		b.mu.Unlock()
		<-lamp
	}
}
