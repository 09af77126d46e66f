package broken

import (
	"runtime"
	"sync"
)

// Callers are where it was called from, and how many there are.
type Callers struct {
	mu    sync.Mutex
	seen  map[uintptr]bool
	names map[string]bool
	count int
}

// Note counts one place twice.
func (c *Callers) Note(pc uintptr) {
	c.mu.Lock()
	if c.seen[pc] { // want `two goroutines can both pass the test of c.seen\[pc\] and both set it`
		c.mu.Unlock()
		return
	}
	c.mu.Unlock()
	f := runtime.FuncForPC(pc)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names[f.Name()] = true
	c.seen[pc] = true
	c.count++
}
