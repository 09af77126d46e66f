package broken

import (
	"slices"
	"sort"
	"sync"
)

// An index that was found in one critical section is used in the next.

type Waitlist struct {
	mu    sync.Mutex
	seats []guest
	sizes []int
}

type guest struct {
	name string
	size int
}

func NewWaitlist() *Waitlist { return &Waitlist{} }

func (w *Waitlist) Add(g guest) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seats = append(w.seats, g)
}

func (w *Waitlist) best(size int) (at int, who guest) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at = -1
	for i, g := range w.seats {
		if g.size <= size && g.size > who.size {
			at, who = i, g
		}
	}
	return at, who
}

func (w *Waitlist) Seat(size int) string {
	at, who := w.best(size) // want `two goroutines can both read w.seats \(in w.best\) before either stores it, and one update is lost: w.mu is released in between`
	if at < 0 {
		return ""
	}
	w.mu.Lock()
	w.seats = slices.Delete(w.seats, at, at+1)
	w.mu.Unlock()
	return who.name
}

func (w *Waitlist) index(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.IndexFunc(w.seats, func(g guest) bool { return g.name == name })
}

func (w *Waitlist) Leave(name string) {
	if i := w.index(name); i >= 0 { // want `two goroutines can both read w.seats \(in w.index\) before either stores it`
		w.mu.Lock()
		w.seats = append(w.seats[:i], w.seats[i+1:]...)
		w.mu.Unlock()
	}
}

func (w *Waitlist) Drop(name string, ask func(guest) bool) bool {
	w.mu.Lock()
	found := -1
	var who guest
	for i := range w.seats { // want `two goroutines can both read w.seats before either stores it, and one update is lost: w.mu is released in between`
		if w.seats[i].name == name {
			found, who = i, w.seats[i]
			break
		}
	}
	w.mu.Unlock()
	if found < 0 || !ask(who) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seats = slices.Delete(w.seats, found, found+1)
	return true
}

func (w *Waitlist) Insert(n int) {
	w.mu.Lock()
	i := sort.SearchInts(w.sizes, n) // want `two goroutines can both read w.sizes before either stores it, and one update is lost: w.mu is released in between`
	w.mu.Unlock()
	w.mu.Lock()
	w.sizes = slices.Insert(w.sizes, i, n)
	w.mu.Unlock()
}
