package tsdbhead

import (
	"sort"
	"strings"
	"sync"
)

type Labels map[string]string

func (l Labels) key() string {
	parts := make([]string, 0, len(l))
	for k, v := range l {
		parts = append(parts, k+"="+v)
	}
	sort.Strings(parts)
	return strings.Join(parts, ",")
}

type sample struct {
	ts  int64
	val float64
}

type Head struct {
	mtx     sync.RWMutex
	ids     map[string]uint64
	samples map[uint64][]sample
	lastID  uint64
}

func NewHead() *Head {
	return &Head{ids: map[string]uint64{}, samples: map[uint64][]sample{}}
}

func (h *Head) lookup(key string) (uint64, bool) {
	h.mtx.RLock()
	defer h.mtx.RUnlock()
	id, ok := h.ids[key]
	return id, ok
}

func (h *Head) seriesID(l Labels) uint64 {
	key := l.key()
	if id, ok := h.lookup(key); ok {
		return id
	}
	h.mtx.Lock()
	defer h.mtx.Unlock()
	h.lastID++
	h.ids[key] = h.lastID
	return h.lastID
}

func (h *Head) Append(l Labels, ts int64, v float64) {
	id := h.seriesID(l)
	h.mtx.Lock()
	h.samples[id] = append(h.samples[id], sample{ts, v})
	h.mtx.Unlock()
}
