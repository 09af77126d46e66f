package bloomstat

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

type Filter struct {
	seeds [3]maphash.Seed
	limit uint64
	added uint64

	mu   sync.RWMutex
	bits []uint64
	old  []uint64
}

func New(words int, limit uint64) *Filter {
	f := &Filter{limit: limit, bits: make([]uint64, words), old: make([]uint64, words)}
	for i := range f.seeds {
		f.seeds[i] = maphash.MakeSeed()
	}
	return f
}

func (f *Filter) each(key string, fn func(word int, bit uint64)) {
	n := uint64(len(f.bits)) * 64
	for _, s := range f.seeds {
		h := maphash.String(s, key) % n
		fn(int(h/64), 1<<(h%64))
	}
}

func (f *Filter) Add(key string) {
	f.mu.Lock()
	f.each(key, func(w int, b uint64) { f.bits[w] |= b })
	f.mu.Unlock()
	atomic.AddUint64(&f.added, 1)
}

func (f *Filter) Has(key string) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	now, before := true, true
	f.each(key, func(w int, b uint64) {
		now = now && f.bits[w]&b != 0
		before = before && f.old[w]&b != 0
	})
	return now || before
}

func (f *Filter) MaybeRotate() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.added < f.limit {
		return false
	}
	f.old, f.bits = f.bits, make([]uint64, len(f.bits))
	f.added = 0
	return true
}
