package fine

import (
	"sync/atomic"
	"time"
)

// OwnClock sets in the loop itself what it looks at.
type OwnClock struct {
	last time.Time
	in   chan string
}

func (c *OwnClock) Start() { go c.loop() }

func (c *OwnClock) loop() {
	t := time.NewTicker(time.Second)
	for {
		select {
		case <-t.C:
			if time.Since(c.last) > time.Minute {
				return
			}
		case m := <-c.in:
			c.note(m)
		}
	}
}

func (c *OwnClock) note(m string) { c.last = time.Now() }

// BegunAt notes when it was begun, before the goroutine is.
type BegunAt struct{ begun time.Time }

func (b *BegunAt) Go() {
	b.begun = time.Now()
	go b.loop()
}

func (b *BegunAt) loop() {
	for range time.Tick(time.Second) {
		if time.Since(b.begun) > time.Hour {
			return
		}
	}
}

// AtomicClock has an atomic one.
type AtomicClock struct{ last atomic.Int64 }

func (c *AtomicClock) Serve(next func() string) {
	go c.loop()
	for {
		c.handle(next())
	}
}

func (c *AtomicClock) handle(string) { c.last.Store(time.Now().Unix()) }

func (c *AtomicClock) loop() {
	for range time.Tick(time.Second) {
		if c.last.Load() < time.Now().Add(-time.Minute).Unix() {
			return
		}
	}
}
