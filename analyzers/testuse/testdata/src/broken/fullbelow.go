package broken

import (
	"errors"
	"sync"

	"rings"
)

var errNoBed = errors.New("no bed left")

// Ward takes in as many patients as there are beds.
type Ward struct {
	mu       sync.RWMutex
	patients rings.Ring
	beds     int
	rung     chan struct{}
}

// NewWard has a nurse who sees to the patients.
func NewWard(beds int) *Ward {
	w := &Ward{beds: beds, rung: make(chan struct{}, 1)}
	go w.nurse()
	return w
}

// TakeIn asks for a bed first.
func (w *Ward) TakeIn(name string) error {
	if w.isFull() { // want `two goroutines can both pass the test of w.patients.count \(in w.isFull\) and both set it: w.mu is held for reading first and taken for writing later, without looking again`
		return errNoBed
	}
	w.mu.Lock()
	w.patients.PushBack(name)
	w.mu.Unlock()
	select {
	case w.rung <- struct{}{}:
	default:
	}
	return nil
}

func (w *Ward) isFull() bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.patients.Len() >= w.beds
}

func (w *Ward) nurse() {
	for range w.rung {
		w.mu.Lock()
		for w.patients.Len() > 0 {
			w.patients.PopFront()
		}
		w.mu.Unlock()
	}
}
