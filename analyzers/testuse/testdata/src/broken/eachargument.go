package broken

import (
	"sync"

	"containers"
)

type names map[string]struct{}

func (n names) has(name string) bool { _, ok := n[name]; return ok }

func (n names) add(all ...string) {
	for _, name := range all {
		n[name] = struct{}{}
	}
}

// Dispatcher hands out tasks, each to one.
type Dispatcher struct {
	mu    sync.Mutex
	given names
	tasks chan string
}

// Give gives a task, unless it was given.
func (r *Dispatcher) Give(task string) {
	r.mu.Lock()
	known := r.given.has(task) // want `two goroutines can both pass the test of r.given \(in r.given.has\) and both set it: r.mu is released in between`
	r.mu.Unlock()
	if !known {
		r.mu.Lock()
		r.given.add(task)
		r.mu.Unlock()
		r.tasks <- task
	}
}

// Usher shows guests to seats, each to one.
type Usher struct {
	mu    sync.Mutex
	taken containers.Set[int]
	shown chan int
}

// Show takes the seat, unless it is taken.
func (u *Usher) Show(seat int) {
	if !u.taken.Has(seat) { // want `two goroutines can both pass the test of u.taken \(in u.taken.Has\) and both set it: u.mu is taken only afterwards`
		u.mu.Lock()
		u.taken.Insert(seat)
		u.mu.Unlock()
		u.shown <- seat
	}
}
