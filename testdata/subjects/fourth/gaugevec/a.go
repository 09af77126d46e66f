package gaugevec

import (
	"sync"
	"sync/atomic"
)

type Vec[T any] struct {
	sync.RWMutex
	children map[string]*T
	make     func() *T
}

func NewVec[T any](mk func() *T) *Vec[T] {
	return &Vec[T]{children: make(map[string]*T), make: mk}
}

func (v *Vec[T]) With(label string) *T {
	v.RLock()
	if c := v.children[label]; c != nil {
		v.RUnlock()
		return c
	}
	v.RUnlock()

	v.Lock()
	c := v.make()
	v.children[label] = c
	v.Unlock()
	return c
}

func (v *Vec[T]) Each(fn func(string, *T)) {
	v.RLock()
	defer v.RUnlock()
	for l, c := range v.children {
		fn(l, c)
	}
}

type Counter struct{ n atomic.Int64 }

type Registry struct {
	requests *Vec[Counter]
}

func NewRegistry() *Registry {
	return &Registry{requests: NewVec(func() *Counter { return new(Counter) })}
}

func (r *Registry) Hit(route string) { r.requests.With(route).n.Add(1) }

func (r *Registry) Snapshot() map[string]int64 {
	out := map[string]int64{}
	r.requests.Each(func(l string, c *Counter) { out[l] = c.n.Load() })
	return out
}
