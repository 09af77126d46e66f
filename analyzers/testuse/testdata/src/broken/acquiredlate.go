package broken

import (
	"sync"
	"sync/atomic"
)

// An edition of the map is printed anew from time to time.
type edition struct {
	readers atomic.Int64
	pages   interface{ Close() error }
}

func (e *edition) open() { e.readers.Add(1) }

func (e *edition) shut() {
	if e.readers.Add(-1) == 0 {
		_ = e.pages.Close()
	}
}

// Press is used by its readers at the same time.
type Press struct {
	latest atomic.Pointer[edition]
	mu     sync.RWMutex
	proof  *edition
}

// Print replaces the latest edition.
func (p *Press) Print(next *edition) {
	next.open()
	if old := p.latest.Swap(next); old != nil {
		old.shut()
	}
}

// Read gives the latest edition to a reader.
func (p *Press) Read() (*edition, func()) {
	e := p.latest.Load() // want `\(\*Press\).Print can replace what is fetched from p.latest here and count itself out before e is counted in`
	if e == nil {
		return nil, func() {}
	}
	e.open()
	return e, e.shut
}

// Prove replaces the proof.
func (p *Press) Prove(next *edition) {
	p.mu.Lock()
	old := p.proof
	p.proof = next
	p.mu.Unlock()
	old.shut()
}

// Check gives the proof to a reader.
func (p *Press) Check() *edition {
	p.mu.RLock()
	e := p.proof // want `\(\*Press\).Prove can replace what is fetched from p.proof here and count itself out before e is counted in`
	p.mu.RUnlock()
	e.readers.Add(1)
	return e
}
