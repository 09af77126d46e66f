package compactor

import (
	"log"
	"sync/atomic"
	"time"
)

type Level interface {
	Score() float64
	Compact() error
}

type Compactor struct {
	levels  []Level
	running int32
	quit    chan struct{}
}

func New(levels []Level) *Compactor {
	c := &Compactor{levels: levels, quit: make(chan struct{})}
	go c.background(10 * time.Second)
	return c
}

func (c *Compactor) busy() bool { return atomic.LoadInt32(&c.running) == 1 }
func (c *Compactor) markBusy()  { atomic.StoreInt32(&c.running, 1) }
func (c *Compactor) markIdle()  { atomic.StoreInt32(&c.running, 0) }

// Trigger starts a compaction unless one is under way.
func (c *Compactor) Trigger() bool {
	if !c.busy() {
		c.markBusy()
		go c.run()
		return true
	}
	return false
}

func (c *Compactor) run() {
	defer c.markIdle()
	for i, l := range c.levels {
		if l.Score() < 1 {
			continue
		}
		if err := l.Compact(); err != nil {
			log.Printf("compactor: level %d: %v", i, err)
			return
		}
	}
}

func (c *Compactor) background(every time.Duration) {
	for {
		select {
		case <-c.quit:
			return
		case <-time.After(every):
			c.Trigger()
		}
	}
}

func (c *Compactor) Stop() { close(c.quit) }
