package broken

import (
	"container/list"
	"sync"
)

// Anteroom holds its list itself, and not by a pointer.
type Anteroom struct {
	mu      sync.Mutex
	waiting list.List
}

func (a *Anteroom) Come(v int) {
	a.mu.Lock()
	a.waiting.PushBack(v)
	a.mu.Unlock()
}

func (a *Anteroom) Leave(e *list.Element) {
	a.mu.Lock()
	a.waiting.Remove(e)
	a.mu.Unlock()
}

func (a *Anteroom) Waiting() int {
	return a.waiting.Len() // want `a.waiting.Len\(\) is accessed here without the lock that all other functions hold for it: a.mu in \(\*Anteroom\).Come`
}
