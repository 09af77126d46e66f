package fine

import (
	"container/list"
	"sync"
)

// Backroom holds its list itself, and the lock whenever it is used.
type Backroom struct {
	mu      sync.Mutex
	waiting list.List
}

func NewBackroom(first int) *Backroom {
	b := &Backroom{}
	b.waiting.PushBack(first)
	return b
}

func (b *Backroom) Come(v int) {
	b.mu.Lock()
	b.waiting.PushBack(v)
	b.mu.Unlock()
}

func (b *Backroom) Leave(e *list.Element) {
	b.mu.Lock()
	b.waiting.Remove(e)
	b.mu.Unlock()
}

func (b *Backroom) Waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.waiting.Len()
}
