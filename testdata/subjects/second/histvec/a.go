package histvec

import (
	"sort"
	"sync"
)

type Histogram struct {
	mu     sync.Mutex
	bounds []float64
	counts []uint64
}

func (h *Histogram) Observe(v float64) {
	i := sort.SearchFloat64s(h.bounds, v)
	h.mu.Lock()
	h.counts[i]++
	h.mu.Unlock()
}

type keyed[K comparable, V any] struct {
	sync.RWMutex
	m map[K]V
}

type Vec struct {
	bounds   []float64
	children keyed[string, *Histogram]
}

func NewVec(bounds ...float64) *Vec {
	v := &Vec{bounds: bounds}
	v.children.m = make(map[string]*Histogram)
	return v
}

func (v *Vec) Get(label string) *Histogram {
	v.children.RLock()
	h := v.children.m[label]
	v.children.RUnlock()
	if h != nil {
		return h
	}
	v.children.Lock()
	defer v.children.Unlock()
	if h = v.children.m[label]; h == nil {
		h = &Histogram{bounds: v.bounds, counts: make([]uint64, len(v.bounds)+1)}
		v.children.m[label] = h
	}
	return h
}
