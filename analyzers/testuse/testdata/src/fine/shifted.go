package fine

import (
	"slices"
	"sync"
)

type lamp interface{ light() }

// Row replaces its slices, or copies them before it lets go of the lock.
type Row struct {
	mu      sync.RWMutex
	fresh   []lamp
	moved   []lamp
	pending []lamp
	grown   []lamp
	capped  []lamp
}

func (r *Row) Add(l lamp) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fresh = append(r.fresh, l)
	r.moved = append(r.moved, l)
	r.pending = append(r.pending, l)
	r.grown = append(r.grown, l)
	r.capped = append(r.capped, l)
}

func (r *Row) Remove(l lamp) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var left []lamp
	for _, k := range r.fresh {
		if k != l {
			left = append(left, k)
		}
	}
	r.fresh = left
	r.moved = slices.DeleteFunc(r.moved, func(k lamp) bool { return k == l })
	r.pending = slices.DeleteFunc(r.pending, func(k lamp) bool { return k == l })
	capped := slices.Clone(r.capped)
	if i := slices.Index(capped, l); i >= 0 {
		capped = append(capped[:i], capped[i+1:]...)
	}
	r.capped = capped
}

// RemoveAt makes a new array.
func (r *Row) RemoveAt(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fresh = append(r.fresh[:i:i], r.fresh[i+1:]...)
}

func (r *Row) Fresh() {
	r.mu.RLock()
	fresh := r.fresh
	r.mu.RUnlock()
	for _, l := range fresh {
		l.light()
	}
}

// Moved copies under the lock.
func (r *Row) Moved() {
	r.mu.RLock()
	moved := append([]lamp(nil), r.moved...)
	r.mu.RUnlock()
	for _, l := range moved {
		l.light()
	}
}

// MovedLocked keeps the lock.
func (r *Row) MovedLocked() {
	r.mu.RLock()
	defer r.mu.RUnlock()
	moved := r.moved
	for _, l := range moved {
		l.light()
	}
}

// Pending takes them all away.
func (r *Row) Pending() {
	r.mu.Lock()
	pending := r.pending
	r.pending = nil
	r.mu.Unlock()
	for _, l := range pending {
		l.light()
	}
}

// Grown is only ever added to.
func (r *Row) Grown() {
	r.mu.RLock()
	grown := r.grown
	r.mu.RUnlock()
	for _, l := range grown {
		l.light()
	}
}

func (r *Row) Capped() {
	r.mu.RLock()
	capped := r.capped
	r.mu.RUnlock()
	for _, l := range capped {
		l.light()
	}
}

// Count only counts.
func (r *Row) Count() int {
	r.mu.RLock()
	moved := r.moved
	r.mu.RUnlock()
	return len(moved)
}
