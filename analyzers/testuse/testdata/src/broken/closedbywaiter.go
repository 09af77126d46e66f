package broken

import (
	"time"
)

// Prober knocks until it has knocked often enough, or is stopped.
type Prober struct {
	Limit int
	sent  int
	done  chan struct{}
}

func NewProber() *Prober { return &Prober{done: make(chan struct{})} }

func (p *Prober) Run() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-tick.C:
			p.sent++
		}
		if p.Limit > 0 && p.sent >= p.Limit {
			close(p.done)
			return
		}
	}
}

func (p *Prober) Stop() {
	close(p.done) // want `p.done is closed here without a look whether it is closed already, and who waits for that closes it too`
}

// Catcher is run by a goroutine, which ends with the first thing that is wrong.
type Catcher struct {
	done  chan struct{}
	wrong chan error
}

func (c *Catcher) Start() { go c.catch() }

func (c *Catcher) catch() error {
	for {
		err := <-c.wrong
		if err == nil {
			continue
		}
		close(c.done)
		return err
	}
}

func (c *Catcher) Stop() {
	close(c.done) // want `c.done is closed here without a look whether it is closed already, and a goroutine closes it too`
}
