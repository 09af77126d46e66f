package histograms

import (
	"math"
	"sync"
)

type Histogram struct {
	mu      sync.Mutex
	bounds  []float64
	buckets []uint64
	sum     float64
}

func newHistogram(bounds []float64) *Histogram {
	return &Histogram{bounds: bounds, buckets: make([]uint64, len(bounds)+1)}
}

func (h *Histogram) Observe(v float64) {
	i := 0
	for i < len(h.bounds) && v > h.bounds[i] {
		i++
	}
	h.mu.Lock()
	h.buckets[i]++
	h.sum += v
	h.mu.Unlock()
}

func (h *Histogram) Sum() float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sum
}

type Set struct {
	mu     sync.RWMutex
	bounds []float64
	byName map[string]*Histogram
}

func NewSet(start, factor float64, n int) *Set {
	s := &Set{byName: make(map[string]*Histogram)}
	for i := range n {
		s.bounds = append(s.bounds, start*math.Pow(factor, float64(i)))
	}
	return s
}

func (s *Set) Get(name string) *Histogram {
	s.mu.RLock()
	h, ok := s.byName[name]
	s.mu.RUnlock()
	if ok {
		return h
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if h, ok = s.byName[name]; !ok {
		h = newHistogram(s.bounds)
		s.byName[name] = h
	}
	return h
}
