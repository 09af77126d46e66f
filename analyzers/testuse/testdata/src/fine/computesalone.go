package fine

import (
	"encoding/binary"
	"hash/fnv"
	"sync/atomic"
)

// A Branch is not changed once it is there, but for what is reckoned late.
type Branch struct {
	name string
	twig []*Branch
	sum  atomic.Uint64
	long atomic.Int64
}

func NewBranch(name string, twig ...*Branch) *Branch { return &Branch{name: name, twig: twig} }

func (b *Branch) Sum() uint64 {
	if s := b.sum.Load(); s != 0 {
		return s
	}
	h := fnv.New64a()
	h.Write([]byte(b.name))
	var buf [8]byte
	for _, t := range b.twig {
		binary.BigEndian.PutUint64(buf[:], t.Sum())
		h.Write(buf[:])
	}
	s := max(h.Sum64(), 1)
	b.sum.Store(s)
	return s
}
