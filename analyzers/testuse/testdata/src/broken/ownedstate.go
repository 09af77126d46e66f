package broken

import "sync"

// Ropewalk has its state, and the lock of it, in an object that it has for itself.
type Ropewalk struct{ state *ropeState }

type ropeState struct {
	mu    sync.RWMutex
	ropes map[string]int
}

func NewRopewalk() *Ropewalk { return &Ropewalk{state: &ropeState{ropes: map[string]int{}}} }

func (r *Ropewalk) Length(name string) (int, bool) {
	r.state.mu.RLock()
	defer r.state.mu.RUnlock()
	n, ok := r.state.ropes[name]
	return n, ok
}

func (r *Ropewalk) Spin(name string, length int) bool {
	if _, ok := r.Length(name); ok { // want `two goroutines can both pass the test of r.state.ropes \(in r.Length\) and both set it`
		return false
	}
	r.state.mu.Lock()
	r.state.ropes[name] = length
	r.state.mu.Unlock()
	return true
}

// Coils has a lock of its own.
type Coils[T any] struct {
	mu   sync.Mutex
	list []T
}

func NewCoils[T any]() *Coils[T] { return &Coils[T]{} }

func (c *Coils[T]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.list)
}

func (c *Coils[T]) Add(t T) {
	c.mu.Lock()
	c.list = append(c.list, t)
	c.mu.Unlock()
}

// FewCoils has nothing that changes but such a one.
type FewCoils[T any] struct {
	coils *Coils[T]
	most  int
}

func NewFewCoils[T any](most int) *FewCoils[T] { return &FewCoils[T]{coils: NewCoils[T](), most: most} }

func (f *FewCoils[T]) Add(t T) bool {
	if f.coils.Len() >= f.most { // want `two goroutines can both pass the test of f.coils.list \(in f.coils.Len\) and both`
		return false
	}
	f.coils.Add(t)
	return true
}
