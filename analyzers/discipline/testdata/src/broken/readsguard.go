package broken

import "sync"

// A vessel's state has a lock of its own, which those hold for reading that look at it.
type Vessel struct {
	crew  sync.Mutex
	guard sync.RWMutex
	state int
	aft   []int
}

func (v *Vessel) State() int {
	v.guard.RLock()
	defer v.guard.RUnlock()
	return v.state
}

func (v *Vessel) Sail() {
	v.guard.Lock()
	defer v.guard.Unlock()
	v.state = 1
}

func (v *Vessel) Moor() {
	v.crew.Lock()
	defer v.crew.Unlock()
	v.guard.RLock()
	if v.state != 2 {
		v.state = 2 // want `v.state is written here with v.guard held for reading only, which others can do at the same time`
	}
	v.guard.RUnlock()
	v.aft = append(v.aft, 2)
}

// A scow's state is changed with both locks held, and looked at with one of them.
type Scow struct {
	crew  sync.Mutex
	guard sync.RWMutex
	state int
}

func (b *Scow) State() int {
	b.crew.Lock()
	defer b.crew.Unlock()
	b.guard.RLock()
	defer b.guard.RUnlock()
	return b.state
}

func (b *Scow) Sail() {
	b.crew.Lock()
	defer b.crew.Unlock()
	b.guard.Lock()
	defer b.guard.Unlock()
	b.state = 1
}

func (b *Scow) Moor() {
	b.crew.Lock()
	defer b.crew.Unlock()
	b.guard.RLock()
	defer b.guard.RUnlock()
	if b.state != 2 {
		b.state = 2
	}
}
