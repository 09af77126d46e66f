// Package samename asks for old keys and stores new ones.
package samename

import (
	"strconv"
	"sync"
)

// Table has rows of generations.
type Table struct {
	mu   sync.Mutex
	gen  int
	rows map[string]bool
}

// New makes one.
func New() *Table { return &Table{rows: map[string]bool{}} }

// Advance begins the next generation when all rows of the one before the last are gone. Right:
// rows of an old generation are only removed, so that what was found gone stays gone; and what
// is stored has other keys, with a number that was drawn under the lock.
func (t *Table) Advance(names []string) bool {
	t.mu.Lock()
	last := t.gen
	t.gen++
	t.mu.Unlock()
	for _, name := range names {
		id := strconv.Itoa(last - 1)
		t.mu.Lock()
		left := t.rows["row/"+id+name]
		t.mu.Unlock()
		if left {
			return false
		}
	}
	for _, name := range names {
		id := strconv.Itoa(last + 1)
		t.mu.Lock()
		t.rows["row/"+id+name] = true
		t.mu.Unlock()
	}
	return true
}

// Remove removes one.
func (t *Table) Remove(gen int, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.rows, "row/"+strconv.Itoa(gen)+name)
}
