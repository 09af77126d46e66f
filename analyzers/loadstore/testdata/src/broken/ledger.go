package broken

import "sync"

// Register keeps a list beside its map, which a lock guards: others add at the same time.
type Register struct {
	byName sync.Map
	mu     sync.Mutex
	sorted []string
}

func (r *Register) find(name string) ([]int, bool) {
	v, ok := r.byName.Load(name)
	if !ok {
		return nil, false
	}
	return v.([]int), true
}

func (r *Register) Add(name string, id int) {
	if ids, ok := r.find(name); ok { // want `one update is lost: Load and Store are two operations`
		r.byName.Store(name, append(ids, id))
	} else {
		r.byName.Store(name, []int{id})
	}
	r.mu.Lock()
	r.sorted = append(r.sorted, name)
	r.mu.Unlock()
}
