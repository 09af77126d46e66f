package fine

import "sync"

// The index is found in the critical section of the use, or looked at again there, or
// nobody moves the elements.

type FoundRack struct {
	mu    sync.Mutex
	discs []disc
	fixed []disc
}

type disc struct {
	id    string
	loans int
}

func NewRack() *FoundRack { return &FoundRack{} }

func (r *FoundRack) Add(d disc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.discs = append(r.discs, d)
	r.fixed = append(r.fixed, d)
}

func (r *FoundRack) Remove(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := r.findLocked(id); i >= 0 {
		r.discs = append(r.discs[:i], r.discs[i+1:]...)
	}
}

func (r *FoundRack) findLocked(id string) int {
	for i, d := range r.discs {
		if d.id == id {
			return i
		}
	}
	return -1
}

func (r *FoundRack) find(id string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.findLocked(id)
}

func (r *FoundRack) Lend(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := r.findLocked(id); i >= 0 {
		r.discs[i].loans++
	}
}

func (r *FoundRack) LendAgain(id string) bool {
	i := r.find(id)
	if i < 0 {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i >= len(r.discs) || r.discs[i].id != id {
		return false
	}
	r.discs[i].loans++
	return true
}

func (r *FoundRack) findFixed(id string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, d := range r.fixed {
		if d.id == id {
			return i
		}
	}
	return -1
}

func (r *FoundRack) LendFixed(id string) {
	i := r.findFixed(id)
	if i < 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fixed[i].loans++
}
