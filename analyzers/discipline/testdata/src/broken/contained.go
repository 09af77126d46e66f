package broken

import (
	"sync"

	"trees"
)

// Charges are kept in a container of another package, under a lock.
type Charges struct {
	mu    sync.Mutex
	known *trees.Map
}

func (t *Charges) Get(name string) any {
	t.mu.Lock()
	defer t.mu.Unlock()
	v, _ := t.known.Get(name)
	return v
}

func (t *Charges) Set(name string, v any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known.Put(name, v)
}

func (t *Charges) Size() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.known.Len()
}

func (t *Charges) Forget(name string) {
	t.known.Delete(name) // want `t.known`
}
