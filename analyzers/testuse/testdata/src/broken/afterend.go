package broken

import "sync/atomic"

const (
	tapShut int32 = iota
	tapRuns
	tapDrips
	tapGone
)

// Spigot is removed before its loop is over.
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
		case <-t.turns:
			t.turn()
		case <-t.quit:
			return
		}
	}
}

func (t *Spigot) turn() {
	if t.state.Load() == tapShut { // want `\(\*Spigot\).Remove can set t.state between this test and the store, which takes that back`
		t.state.Store(tapRuns)
	}
}

func NewSpigot() *Spigot {
	t := &Spigot{turns: make(chan bool), quit: make(chan struct{}), over: make(chan struct{})}
	go t.loop()
	return t
}

func (t *Spigot) Remove(wait bool) {
	close(t.quit)
	if wait {
		<-t.over
	}
	t.state.Store(tapGone)
}

func (t *Spigot) Runs() bool { return t.state.Load() == tapRuns }

// Squirt tells over at the beginning of the loop, not at its end.
type Squirt struct {
	state atomic.Int32
	turns chan bool
	begun chan struct{}
}

func (p *Squirt) loop() {
	close(p.begun)
	for range p.turns {
		if p.state.Load() == tapShut { // want `\(\*Squirt\).Remove can set p.state between this test and the store, which takes that back`
			p.state.Store(tapRuns)
		}
	}
}

func NewSquirt() *Squirt {
	p := &Squirt{turns: make(chan bool), begun: make(chan struct{})}
	go p.loop()
	return p
}

func (p *Squirt) Remove() {
	<-p.begun
	p.state.Store(tapGone)
}

func (p *Squirt) Runs() bool { return p.state.Load() == tapRuns }
