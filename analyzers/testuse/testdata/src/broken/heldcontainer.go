package broken

import (
	"container/list"
	"sync"
)

// Vestibule lets one more in than there is room for.
type Vestibule struct {
	mu      sync.Mutex
	waiting list.List
}

func (a *Vestibule) Come(v int) bool {
	a.mu.Lock()
	n := a.waiting.Len() // want `two goroutines can both pass the test of a.waiting and both set it: a.mu is released in between`
	a.mu.Unlock()
	if n >= 10 {
		return false
	}
	a.mu.Lock()
	a.waiting.PushBack(v)
	a.mu.Unlock()
	return true
}

func (a *Vestibule) Leave(e *list.Element) {
	a.mu.Lock()
	a.waiting.Remove(e)
	a.mu.Unlock()
}
