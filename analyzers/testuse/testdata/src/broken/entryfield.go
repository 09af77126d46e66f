package broken

import "sync"

type shelfState int

const (
	shelfOpen shelfState = iota
	shelfStale
	shelfGone
)

type shelfEntry struct {
	state shelfState
	age   int
	turns int
}

// ShelfBook knows the state of each shelf.
type ShelfBook struct {
	mu      sync.Mutex
	shelves map[string]*shelfEntry
	moved   func(string)
}

func (b *ShelfBook) stateOf(name string) (shelfState, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, ok := b.shelves[name]; ok {
		return e.state, e.age
	}
	return shelfGone, 0
}

func (b *ShelfBook) setState(name string, to shelfState) {
	b.mu.Lock()
	e, ok := b.shelves[name]
	if !ok || e.state == to {
		b.mu.Unlock()
		return
	}
	e.state = to
	e.turns++
	b.mu.Unlock()
	b.moved(name)
}

// change sets the state only if it is the expected one still.
func (b *ShelfBook) change(name string, from, to shelfState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.shelves[name]; e != nil && e.state == from {
		e.state = to
	}
}

func (b *ShelfBook) Remove(name string) { b.setState(name, shelfGone) }

func (b *ShelfBook) Sweep(names []string) {
	for _, name := range names {
		st, age := b.stateOf(name) // want `what b.stateOf has returned of shelfEntry.state can be out of date when b.setState sets it`
		switch st {
		case shelfOpen:
			if age > 10 {
				b.setState(name, shelfStale)
			}
		}
	}
}

func (b *ShelfBook) SweepAgain(names []string) {
	for _, name := range names {
		if st, age := b.stateOf(name); st == shelfOpen && age > 10 {
			b.change(name, shelfOpen, shelfStale)
		}
	}
}

// Copy sets another shelf than the one that it has looked at.
func (b *ShelfBook) Copy(from, to string) {
	if st, _ := b.stateOf(from); st == shelfStale {
		b.setState(to, shelfStale)
	}
}
