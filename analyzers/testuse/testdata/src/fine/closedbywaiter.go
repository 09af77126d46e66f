package fine

import (
	"sync"
	"time"
)

// Rapper knocks until it is stopped, and closes a channel of its own.
type Rapper struct {
	Limit int
	sent  int
	stop  chan struct{}
	ended chan struct{}
}

func NewRapper() *Rapper { return &Rapper{stop: make(chan struct{}), ended: make(chan struct{})} }

func (r *Rapper) Run() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-r.stop:
			close(r.ended)
			return
		case <-tick.C:
			r.sent++
		}
		if r.Limit > 0 && r.sent >= r.Limit {
			close(r.ended)
			return
		}
	}
}

func (r *Rapper) Stop() { close(r.stop) }

// Tapper closes its channel by a sync.Once.
type Tapper struct {
	end  sync.Once
	sent int
	done chan struct{}
}

func NewTapper() *Tapper { return &Tapper{done: make(chan struct{})} }

func (t *Tapper) Run() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-t.done:
			return
		case <-tick.C:
			t.sent++
		}
		if t.sent > 9 {
			t.close()
			return
		}
	}
}

func (t *Tapper) Stop()  { t.close() }
func (t *Tapper) close() { t.end.Do(func() { close(t.done) }) }

// Drummer has no Stop: who waits for it is told by the channel.
type Drummer struct {
	beats int
	done  chan struct{}
}

func NewDrummer() *Drummer { return &Drummer{done: make(chan struct{})} }

func (d *Drummer) Run() {
	for ; d.beats < 9; d.beats++ {
		time.Sleep(time.Second)
	}
	close(d.done)
}

func (d *Drummer) Wait() { <-d.done }
