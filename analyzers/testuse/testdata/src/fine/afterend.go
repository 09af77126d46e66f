package fine

import (
	"sync"
	"sync/atomic"
)

const (
	tapShut int32 = iota
	tapRuns
	tapDrips
	tapGone
)

// Spigot is turned by its loop alone, until it is over.
type Spigot struct {
	state atomic.Int32
	turns chan bool
	quit  chan struct{}
	over  chan struct{}
}

func (t *Spigot) loop() {
	defer close(t.over)
	for {
		select {
		case open := <-t.turns:
			t.turn(open)
		case <-t.quit:
			return
		}
	}
}

func (t *Spigot) turn(open bool) {
	if open && t.state.Load() == tapShut {
		t.state.Store(tapRuns)
	} else if t.state.Load() == tapRuns {
		t.state.Store(tapDrips)
	}
}

func NewSpigot() *Spigot {
	t := &Spigot{turns: make(chan bool), quit: make(chan struct{}), over: make(chan struct{})}
	go t.loop()
	return t
}

// Remove ends the loop, or says that it is in time to wait longer.
func (t *Spigot) Remove(hurry <-chan struct{}) bool {
	close(t.quit)
	select {
	case <-t.over:
		t.state.Store(tapGone)
		return true
	case <-hurry:
		return false
	}
}

func (t *Spigot) Runs() bool { return t.state.Load() == tapRuns }

// Cistern has a goroutine that its WaitGroup counts.
type Cistern struct {
	state atomic.Int32
	turns chan bool
	loops sync.WaitGroup
}

func NewCistern() *Cistern {
	w := &Cistern{turns: make(chan bool)}
	w.loops.Add(1)
	go func() {
		defer w.loops.Done()
		for range w.turns {
			if w.state.Load() == tapShut {
				w.state.Store(tapRuns)
			}
		}
	}()
	return w
}

func (w *Cistern) Fill() {
	close(w.turns)
	w.loops.Wait()
	w.state.Store(tapGone)
}

func (w *Cistern) Runs() bool { return w.state.Load() == tapRuns }
