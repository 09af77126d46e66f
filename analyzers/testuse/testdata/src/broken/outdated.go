package broken

import "sync"

// Resolver resolves names, each of them once at a time.
type Resolver struct {
	mu        sync.RWMutex
	resolving map[string]bool
	phase     int
	wanted    bool
	resolve   func(string)
}

// missing are the names that nobody is resolving.
func (r *Resolver) missing(names []string) []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var all []string
	for n := range r.resolving {
		all = append(all, n)
	}
	return without(names, all)
}

func without(names, all []string) []string {
	var list []string
	for _, n := range names {
		found := false
		for _, a := range all {
			found = found || a == n
		}
		if !found {
			list = append(list, n)
		}
	}
	return list
}

func (r *Resolver) mark(names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range names {
		r.resolving[n] = true
	}
}

func (r *Resolver) unmark(names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range names {
		delete(r.resolving, n)
	}
}

func (r *Resolver) Resolve(names []string) {
	todo := r.missing(names) // want `what r.missing computes from r.resolving can be out of date when r.mark stores it: the lock is released in between`
	if len(todo) == 0 {
		return
	}
	r.mark(todo)
	defer r.unmark(todo)
	for _, n := range todo {
		r.resolve(n)
	}
}

// Forget is about names of its own.
func (r *Resolver) Forget(names []string) {
	if len(r.missing(names)) > 0 {
		r.mark([]string{"forgotten"})
	}
}

func (r *Resolver) next() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	switch {
	case r.phase == 0 && r.wanted:
		return 1
	case r.phase == 1:
		return 2
	}
	return 0
}

func (r *Resolver) enter(phase int) {
	r.mu.Lock()
	r.phase = phase
	r.mu.Unlock()
}

// advance enters a phase only if it is still the one before.
func (r *Resolver) advance(phase int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase < phase {
		r.phase = phase
	}
}

func (r *Resolver) Step() {
	r.enter(r.next()) // want `what r.next computes from r.phase can be out of date when r.enter stores it`
}

func (r *Resolver) StepUp() {
	r.advance(r.next())
}
