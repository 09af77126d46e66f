package vecindex

import (
	"errors"
	"math"
	"sync"
)

var ErrDim = errors.New("vecindex: dimension mismatch")

type Index struct {
	dim  int
	mu   sync.RWMutex
	vecs [][]float32
	slot map[string]int
}

func NewIndex(dim int) *Index {
	return &Index{dim: dim, slot: make(map[string]int)}
}

func (x *Index) push(v []float32) {
	x.mu.Lock()
	x.vecs = append(x.vecs, v)
	x.mu.Unlock()
}

func (x *Index) Insert(id string, v []float32) error {
	if len(v) != x.dim {
		return ErrDim
	}
	norm := float32(0)
	for _, f := range v {
		norm += f * f
	}
	norm = float32(math.Sqrt(float64(norm)))
	unit := make([]float32, x.dim)
	for i := range v {
		unit[i] = v[i] / norm
	}
	x.push(unit)
	x.mu.Lock()
	x.slot[id] = len(x.vecs) - 1
	x.mu.Unlock()
	return nil
}

func (x *Index) Similarity(id string, q []float32) (float32, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	i, ok := x.slot[id]
	if !ok || len(q) != x.dim {
		return 0, false
	}
	var dot float32
	for k, f := range x.vecs[i] {
		dot += f * q[k]
	}
	return dot, true
}
