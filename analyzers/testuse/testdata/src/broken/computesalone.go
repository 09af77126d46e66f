package broken

import (
	"hash/fnv"
	"sync/atomic"
)

// A Branch grows.
type Branch struct {
	name string
	sum  atomic.Uint64
	more func() string
}

func (b *Branch) Sum() uint64 {
	if s := b.sum.Load(); s != 0 { // want `two goroutines can both pass the test of b.sum and both set it`
		return s
	}
	h := fnv.New64a()
	h.Write([]byte(b.name))
	h.Write([]byte(b.more()))
	s := max(h.Sum64(), 1)
	b.sum.Store(s)
	return s
}
