package broken

import "sync"

type barrow struct {
	pool *sync.Pool
	load []byte
}

// Return gives the barrow back.
func (b *barrow) Return() {
	if b.pool != nil {
		b.pool.Put(b)
		b.pool = nil // want `b.pool is used here after b was put back into the pool: the next goroutine that takes it from there has it already`
	}
}

var barrows = sync.Pool{New: func() any { return new(barrow) }}

// Carry empties it too late.
func Carry(load []byte) int {
	b := barrows.Get().(*barrow)
	b.load = append(b.load, load...)
	n := len(b.load)
	barrows.Put(b)
	b.load = b.load[:0] // want `b.load is used here after b was put back into the pool`
	return n
}
