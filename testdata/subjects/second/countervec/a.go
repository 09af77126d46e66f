package countervec

import (
	"strings"
	"sync"
	"sync/atomic"
)

type Counter struct{ v atomic.Uint64 }

func (c *Counter) Inc() { c.v.Add(1) }

func (c *Counter) Value() uint64 { return c.v.Load() }

type Vec[T any] struct {
	sync.RWMutex
	children map[string]T
	newChild func() T
}

func NewVec[T any](mk func() T) *Vec[T] {
	return &Vec[T]{children: make(map[string]T), newChild: mk}
}

func NewCounterVec() *Vec[*Counter] {
	return NewVec(func() *Counter { return new(Counter) })
}

func (v *Vec[T]) With(labels ...string) T {
	key := strings.Join(labels, "\xff")
	v.RLock()
	if c, ok := v.children[key]; ok {
		v.RUnlock()
		return c
	}
	v.RUnlock()

	v.Lock()
	defer v.Unlock()
	c := v.newChild()
	v.children[key] = c
	return c
}

func (v *Vec[T]) Each(fn func(labels []string, child T)) {
	v.RLock()
	defer v.RUnlock()
	for k, c := range v.children {
		fn(strings.Split(k, "\xff"), c)
	}
}
