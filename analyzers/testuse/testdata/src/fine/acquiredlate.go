package fine

import (
	"sync"
	"sync/atomic"
)

// A draft is read while it is the one that counts.
type draft struct {
	readers atomic.Int64
	pages   interface{ Close() error }
}

func (d *draft) open() { d.readers.Add(1) }

func (d *draft) shut() {
	if d.readers.Add(-1) == 0 {
		_ = d.pages.Close()
	}
}

// try counts a reader in unless nobody is left.
func (d *draft) try() bool {
	for {
		n := d.readers.Load()
		if n == 0 {
			return false
		}
		if d.readers.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Printery is used by its readers at the same time.
type Printery struct {
	latest atomic.Pointer[draft]
	checks atomic.Pointer[draft]
	plain  atomic.Pointer[draft]
	mu     sync.RWMutex
	proof  *draft
}

func (o *Printery) Print(next *draft) {
	if old := o.latest.Swap(next); old != nil {
		old.shut()
	}
	if old := o.checks.Swap(next); old != nil {
		old.shut()
	}
	o.plain.Store(next)
}

// Read takes what it can have.
func (o *Printery) Read() *draft {
	for {
		d := o.latest.Load()
		if d == nil || d.try() {
			return d
		}
	}
}

// Check sees whether it is still the one.
func (o *Printery) Check() *draft {
	for {
		d := o.checks.Load()
		d.open()
		if d == o.checks.Load() {
			return d
		}
		d.shut()
	}
}

// Plain takes one that nobody gives up on a change.
func (o *Printery) Prove(next *draft) {
	o.mu.Lock()
	old := o.proof
	o.proof = next
	o.mu.Unlock()
	old.shut()
}

func (o *Printery) Proof() *draft {
	o.mu.RLock()
	defer o.mu.RUnlock()
	d := o.proof
	d.open()
	return d
}
