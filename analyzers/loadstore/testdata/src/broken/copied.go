package broken

import (
	"maps"
	"sync"
	"sync/atomic"
)

// Hooks has lists that are replaced by changed copies.
type Hooks struct {
	byName sync.Map
	once   sync.Map
	all    atomic.Pointer[map[string]func()]
	mu     sync.Mutex
}

func (h *Hooks) list(name string) []func() {
	v, _ := h.byName.Load(name)
	list, _ := v.([]func())
	return list
}

func (h *Hooks) Add(name string, f func()) {
	cur := h.list(name) // want `two goroutines can both read h.byName \(in h.list\) before either stores it`
	next := make([]func(), len(cur), len(cur)+1)
	copy(next, cur)
	h.byName.Store(name, append(next, f))
}

func (h *Hooks) Set(name string, f func()) {
	next := map[string]func(){}
	maps.Copy(next, *h.all.Load()) // want `two goroutines can both read h.all before either stores it`
	next[name] = f
	h.all.Store(&next)
}

// AddLocked is alone from the Load to the Store.
func (h *Hooks) AddLocked(name string, f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v, _ := h.once.Load(name)
	cur, _ := v.([]func())
	next := make([]func(), len(cur), len(cur)+1)
	copy(next, cur)
	h.once.Store(name, append(next, f))
}
