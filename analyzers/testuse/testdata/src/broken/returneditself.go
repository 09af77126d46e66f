package broken

import (
	"slices"
	"sync"
)

// Roster returns, under its lock, what others change in place.
type Roster struct {
	mu     sync.RWMutex
	names  map[string]int
	queue  []string
	groups map[string][]string
	inner  rosterState
}

type rosterState struct {
	shifts map[string][]int
}

func (r *Roster) Names() map[string]int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.names // want `r.names is returned itself, and no copy: whoever gets it reads it without r.mu, while \(\*Roster\).Enroll writes its entries \(r.names\[name\]\)`
}

func (r *Roster) Enroll(name string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[name] = n
}

func (r *Roster) Queue() []string {
	r.mu.RLock()
	q := r.queue // want `r.queue is returned itself, and no copy: .*, while \(\*Roster\).Leave moves its elements in place .*`
	r.mu.RUnlock()
	return q
}

func (r *Roster) Leave(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue = append(r.queue[:i], r.queue[i+1:]...)
}

func (r *Roster) Group(name string) ([]string, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.groups == nil {
		return nil, false
	}
	return r.groups[name], true // want `r.groups\[name\] is returned itself, and no copy: .*, while \(\*Roster\).LeaveGroup moves its elements in place .*`
}

func (r *Roster) LeaveGroup(name string, i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.groups[name]
	g[i] = g[len(g)-1]
	r.groups[name] = g[:len(g)-1]
}

func (s *rosterState) of(name string) []int { return s.shifts[name] }

func (s *rosterState) drop(name string, n int) {
	left := slices.DeleteFunc(s.shifts[name], func(x int) bool { return x == n })
	if len(left) == 0 {
		delete(s.shifts, name)
		return
	}
	s.shifts[name] = left
}

func (r *Roster) Shifts(name string) []int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.inner.of(name) // want `r.inner.of\(name\) is returned itself, and no copy: .*, while \(\*rosterState\).drop moves its elements in place .*`
}

func (r *Roster) DropShift(name string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inner.drop(name, n)
}
