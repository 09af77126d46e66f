package fine

import (
	"slices"
	"sync"
)

// A Watchtower has riders in sight. It flashes with the lock held, or waits before it closes.
type Watchtower struct {
	mu        sync.RWMutex
	sending   sync.WaitGroup
	riders    []*trooper
	known     map[*trooper]bool
	strangers []*trooper
	horns     []chan int
}

type trooper struct{ lamp, horn chan int }

func (w *Watchtower) Sight(r *trooper, horn chan int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.riders = append(w.riders, r)
	w.known[r] = true
	w.horns = append(w.horns, horn)
}

// Flash holds the lock until all is sent.
func (w *Watchtower) Flash(n int) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	for _, r := range slices.Clone(w.riders) {
		select {
		case r.lamp <- n:
		default:
		}
	}
}

func (w *Watchtower) Pass(r *trooper) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, x := range w.riders {
		if x == r {
			w.riders = slices.Delete(w.riders, i, i+1)
			close(r.lamp)
			return
		}
	}
}

// Blink sends what is never closed.
func (w *Watchtower) Blink(n int) {
	w.mu.RLock()
	list := make([]*trooper, 0, len(w.known))
	for r := range w.known {
		list = append(list, r)
	}
	w.mu.RUnlock()
	for _, r := range list {
		r.horn <- n
	}
}

func (w *Watchtower) Forget(r *trooper) {
	w.mu.Lock()
	delete(w.known, r)
	w.mu.Unlock()
	close(r.lamp)
}

// Blow counts itself, and Silence waits for it.
func (w *Watchtower) Blow(n int) {
	w.mu.RLock()
	list := slices.Clone(w.horns)
	w.sending.Add(1)
	w.mu.RUnlock()
	defer w.sending.Done()
	for _, horn := range list {
		horn <- n
	}
}

func (w *Watchtower) Silence(horn chan int) {
	w.mu.Lock()
	w.horns = slices.DeleteFunc(w.horns, func(h chan int) bool { return h == horn })
	w.mu.Unlock()
	w.sending.Wait()
	close(horn)
}

// Meet closes the lamp of one who is on no list.
func (w *Watchtower) Meet(r *trooper) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.strangers = append(w.strangers, r)
	close(r.horn)
}
