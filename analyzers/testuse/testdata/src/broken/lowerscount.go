package broken

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

func (f *Ferries) Hire() (*ferryBoat, error) {
	f.mu.Lock()
	if f.most == 0 || f.afloat < f.most { // want `two goroutines can both pass the test of f.afloat and both add to it`
		build := f.build
		f.mu.Unlock()
		atomic.AddInt64(&f.afloat, 1)
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
