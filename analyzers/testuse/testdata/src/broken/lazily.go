package broken

import "sync"

type board struct{ cells []int }

// A Display makes its next board when somebody draws on it.
type Display struct {
	mu    sync.Mutex
	make  func() *board
	shown *board
	next  *board
	plain *board
	safe  *board
}

func (d *Display) Next() *board {
	if d.next == nil { // want `two goroutines can both pass the test of d.next and both set it: no lock is held`
		d.next = d.make()
	}
	return d.next
}

func (d *Display) Show() {
	d.mu.Lock()
	d.shown = d.next
	d.mu.Unlock()
}

func (d *Display) Shown() *board {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.shown
}

// Plain is never accessed under the lock: it may have an owner.
func (d *Display) Plain() *board {
	if d.plain == nil {
		d.plain = &board{}
	}
	return d.plain
}

func (d *Display) Safe() *board {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.safe == nil {
		d.safe = &board{}
	}
	return d.safe
}
