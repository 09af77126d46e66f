package fine

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Ferries hires out as many boats as there may be on the water.
type Ferries struct {
	mu     sync.Mutex
	freed  chan struct{}
	afloat int64
	most   int64
	build  func() (*ferryBoat, error)
}

type ferryBoat struct{ name string }

func NewFerries(most int64, build func() (*ferryBoat, error)) *Ferries {
	return &Ferries{freed: make(chan struct{}, 1), most: most, build: build}
}

func (f *Ferries) release() {
	atomic.AddInt64(&f.afloat, -1)
	select {
	case f.freed <- struct{}{}:
	default:
	}
}

var errAllOut = errors.New("all boats are out")

// Hire counts the boat before the lock is released.
func (f *Ferries) Hire() (*ferryBoat, error) {
	f.mu.Lock()
	if f.most == 0 || atomic.LoadInt64(&f.afloat) < f.most {
		build := f.build
		atomic.AddInt64(&f.afloat, 1)
		f.mu.Unlock()
		b, err := build()
		if err != nil {
			f.release()
			return nil, err
		}
		return b, nil
	}
	f.mu.Unlock()
	return nil, errAllOut
}

func (f *Ferries) Return(b *ferryBoat) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.release()
}

// GatedPier lets one in at a time by a gate of its own.
type GatedPier struct {
	mu    sync.Mutex
	gate  chan struct{}
	users int
	boats int
	most  int
}

func (p *GatedPier) acquireGate() {
	<-p.gate
	p.mu.Lock()
	p.users++
	p.mu.Unlock()
}

func (p *GatedPier) releaseGate() {
	p.mu.Lock()
	p.users--
	p.mu.Unlock()
	p.gate <- struct{}{}
}

func (p *GatedPier) Moor() bool {
	p.acquireGate()
	p.mu.Lock()
	full := p.boats >= p.most
	p.mu.Unlock()
	if full {
		p.releaseGate()
		return false
	}
	p.mu.Lock()
	p.boats++
	p.mu.Unlock()
	p.releaseGate()
	return true
}

func (p *GatedPier) Leave() {
	p.mu.Lock()
	p.boats--
	p.mu.Unlock()
}
