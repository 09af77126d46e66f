package broken

import (
	"sync"

	"trees"
)

// Tallies are counted in a container of another package.
type Tallies struct {
	mu    sync.Mutex
	names *trees.Map
}

// Count counts one.
func (v *Tallies) Count(name string) int {
	v.mu.Lock()
	n, _ := v.names.Get(name) // want `two goroutines can both read v.names\[name\] before either stores it, and one update is lost: v.mu is released in between`
	v.mu.Unlock()
	i, _ := n.(int)
	v.mu.Lock()
	v.names.Put(name, i+1)
	v.mu.Unlock()
	return i
}
