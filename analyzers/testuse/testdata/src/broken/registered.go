package broken

import "sync"

type Catalogue struct {
	mu    sync.Mutex
	read  bool
	names []string
	again bool
	fresh []string
	twice bool
	list  []string
	keyed bool
	byKey map[string]bool
}

func (r *Catalogue) Names(found func() []string) []string {
	if !r.read { // want `two goroutines can both pass the test of r.read and both set it: r.mu is taken only afterwards`
		r.mu.Lock()
		for _, n := range found() {
			r.names = append(r.names, n)
		}
		r.read = true
		r.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.names...)
}

// Fresh begins the list anew: to do it twice is to do it once.
func (r *Catalogue) Fresh(found func() []string) {
	if r.again {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fresh = nil
	for _, n := range found() {
		r.fresh = append(r.fresh, n)
	}
	r.again = true
}

// Twice looks again under the lock.
func (r *Catalogue) Twice(found func() []string) {
	r.mu.Lock()
	done := r.twice
	r.mu.Unlock()
	if done {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.twice {
		return
	}
	for _, n := range found() {
		r.list = append(r.list, n)
	}
	r.twice = true
}

// Keyed stores by key.
func (r *Catalogue) Keyed(found func() []string) {
	if r.keyed {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range found() {
		r.byKey[n] = true
	}
	r.keyed = true
}
