package fine

import "sync"

type barrow struct {
	pool *sync.Pool
	load []byte
}

// Return gives the barrow back as the last thing of all.
func (b *barrow) Return() {
	if pool := b.pool; pool != nil {
		b.pool = nil
		pool.Put(b)
	}
}

var barrows = sync.Pool{New: func() any { return new(barrow) }}

// Carry takes another one.
func Carry(load []byte) int {
	b := barrows.Get().(*barrow)
	b.load = append(b.load[:0], load...)
	if len(load) > 12 {
		barrows.Put(b)
		return 0
	}
	n := len(b.load)
	barrows.Put(b)
	b = barrows.Get().(*barrow)
	b.load = b.load[:0]
	defer barrows.Put(b)
	b.load = append(b.load, load...)
	return n + len(b.load)
}
