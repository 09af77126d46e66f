package broken

import "time"

// Fountain plays until it is stopped.
type Fountain struct {
	drained chan struct{}
	play    func()
}

// NewFountain returns one that plays.
func NewFountain(play func()) *Fountain {
	f := &Fountain{drained: make(chan struct{}), play: play}
	go f.run()
	return f
}

func (f *Fountain) run() {
	for {
		select {
		case <-f.drained:
			return
		case <-time.After(time.Second):
			f.play()
		}
	}
}

// Stop may be called by anybody.
func (f *Fountain) Stop() {
	if f.drained == nil { // want `two goroutines can both pass the test of f.drained and close f.drained twice: no lock is held`
		return
	}
	close(f.drained)
	f.drained = nil
}

// Cascade is a fountain with a flag.
type Cascade struct {
	dry     bool
	drained chan struct{}
	play    func()
}

// NewCascade returns one that plays.
func NewCascade(play func()) *Cascade {
	c := &Cascade{drained: make(chan struct{}), play: play}
	go c.run()
	return c
}

func (c *Cascade) run() {
	for {
		select {
		case <-c.drained:
			return
		case <-time.After(time.Second):
			c.play()
		}
	}
}

// Stop may be called by anybody.
func (c *Cascade) Stop() {
	if !c.dry { // want `two goroutines can both pass this test and close c.drained twice: the flag is set afterwards, and no lock is held`
		close(c.drained)
	}
	c.dry = true
}
