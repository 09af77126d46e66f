package broken

import (
	"sync/atomic"
	"time"
)

type bearing struct{ degrees int }

func (b *bearing) Equal(o *bearing) bool { return b.degrees == o.degrees }

// CompassRose tells of each turn.
type CompassRose struct {
	now   atomic.Pointer[bearing]
	state atomic.Int32
	depth atomic.Value
	told  chan *bearing
}

func (r *CompassRose) Turn(degrees int) {
	next := &bearing{degrees}
	old := r.now.Load() // want `two goroutines can both compare with the same one from r.now, and neither with what the other has stored`
	r.now.Store(next)
	if old != nil && old.Equal(next) {
		return
	}
	r.told <- next
}

func (r *CompassRose) Set(state int32, tell func(int32)) {
	prev := r.state.Load() // want `two goroutines can both compare with the same one from r.state`
	r.state.Store(state)
	if prev != state {
		tell(state)
	}
}

func (r *CompassRose) Sound(depth int, tell func(int)) {
	changed := r.depth.Load() != depth // want `two goroutines can both compare with the same one from r.depth`
	r.depth.Store(depth)
	if changed {
		tell(depth)
	}
}

type drift struct {
	last atomic.Int64
	told chan int64
}

// Watch looks at it by a goroutine for each ship.
func Watch(ships []string) {
	d := &drift{told: make(chan int64)}
	for range ships {
		go d.look()
	}
	for range d.told {
	}
}

func (d *drift) look() {
	at := time.Now().UnixNano()
	old := d.last.Load() // want `two goroutines can both compare with the same one from d.last`
	d.last.Store(at)
	if at != old {
		d.told <- at
	}
}
