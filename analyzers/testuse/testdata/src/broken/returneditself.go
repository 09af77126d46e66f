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
	return r.inner.of(name) // want `r.inner.shifts\[name\] \(in r.inner.of\) is returned itself, and no copy: .*, while \(\*rosterState\).drop moves its elements in place .*`
}

func (r *Roster) DropShift(name string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inner.drop(name, n)
}

// Orchards has the trees of one orchard in another object.
type Orchards struct {
	first *orchard
}

// Trees are those of the first one.
func (o *Orchards) Trees() map[string]int { return o.first.list() }

type orchard struct {
	mu    sync.Mutex
	trees map[string]int
}

// Plant adds a tree.
func (o *Orchards) Plant(kind string) { o.first.plant(kind) }

func (o *orchard) plant(kind string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.trees[kind]++
}

func (o *orchard) fell(kind string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.trees, kind)
}

func (o *orchard) list() map[string]int {
	o.mu.Lock()
	defer o.mu.Unlock()
	trees := o.trees // want `o.trees is returned itself, and no copy: whoever gets it reads it without o.mu, while \(\*orchard\)`
	return trees
}

// Fell takes a tree away.
func (o *Orchards) Fell(kind string) { o.first.fell(kind) }
