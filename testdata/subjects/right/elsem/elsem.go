// Package elsem keeps one at a time out of a lane by a channel of the lane's own.
package elsem

import (
	"errors"
	"sync"
)

type lane struct {
	slot  chan struct{} // who has put something in it has the lane
	count int
}

// Road has lanes.
type Road struct {
	mu    sync.Mutex
	lanes map[string]*lane
}

// New makes one.
func New(names ...string) *Road {
	r := &Road{lanes: map[string]*lane{}}
	for _, n := range names {
		r.lanes[n] = &lane{slot: make(chan struct{}, 1)}
	}
	return r
}

// Drive drives f down the lane.
func (r *Road) Drive(name string, f func()) error {
	r.mu.Lock()
	l := r.lanes[name]
	r.mu.Unlock()
	if l == nil {
		return errors.New("elsem: no such lane")
	}
	l.slot <- struct{}{}
	l.count++
	f()
	<-l.slot
	return nil
}

// Clear counts anew, of the lanes that are empty.
func (r *Road) Clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.lanes {
		select {
		case l.slot <- struct{}{}:
			l.count = 0
			<-l.slot
		default:
		}
	}
}
