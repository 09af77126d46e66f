package fine

import (
	"sync"
	"sync/atomic"
)

type heading struct{ degrees int }

// Gyro tells of each turn.
type Gyro struct {
	mu    sync.Mutex
	now   atomic.Pointer[heading]
	state atomic.Int32
	told  chan *heading
}

// Turn gets the former one by Swap.
func (g *Gyro) Turn(degrees int) {
	next := &heading{degrees}
	if old := g.now.Swap(next); old != nil && *old == *next {
		return
	}
	g.told <- next
}

// Locked keeps the others out.
func (g *Gyro) Locked(next *heading) {
	g.mu.Lock()
	defer g.mu.Unlock()
	old := g.now.Load()
	g.now.Store(next)
	if old != next {
		g.told <- next
	}
}

// Reset compares with something else.
func (g *Gyro) Reset(state int32, do func()) {
	old := g.state.Load()
	g.state.Store(state)
	if old > 3 {
		do()
	}
}

type pendulum struct {
	last atomic.Int64
	told chan int64
}

// Swing is the one goroutine that sets it.
func Swing(ticks chan int64) *pendulum {
	p := &pendulum{told: make(chan int64)}
	go p.run(ticks)
	return p
}

func (p *pendulum) run(ticks chan int64) {
	for at := range ticks {
		old := p.last.Load()
		p.last.Store(at)
		if at != old {
			p.told <- at
		}
	}
}
