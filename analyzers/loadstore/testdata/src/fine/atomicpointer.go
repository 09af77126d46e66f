package fine

import "sync/atomic"

// Raffle has its numbers behind pointers, which are set once.
type Raffle struct {
	next *atomic.Uint32
	day  *atomic.Uint32
}

func (r *Raffle) Draw() uint32 {
	n := r.next.Load()
	for !r.next.CompareAndSwap(n, n+1) {
		n = r.next.Load()
	}
	return n
}

// Yesterday stores what has nothing to do with what was loaded.
func (r *Raffle) Yesterday(today uint32) uint32 {
	was := r.day.Load()
	r.day.Store(today)
	return was
}
