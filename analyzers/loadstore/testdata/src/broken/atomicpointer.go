package broken

import "sync/atomic"

// Raffle has its numbers behind pointers, which are set once.
type Raffle struct {
	next  *atomic.Uint32
	queue *atomic.Pointer[[]string]
}

func NewRaffle() *Raffle {
	return &Raffle{next: new(atomic.Uint32), queue: new(atomic.Pointer[[]string])}
}

func (r *Raffle) Draw() uint32 {
	n := r.next.Load() // want `two goroutines can both read r.next before either stores it`
	r.next.Store(n + 1)
	return n
}

func (r *Raffle) Enqueue(name string) {
	old := r.queue.Load() // want `two goroutines can both read r.queue before either stores it`
	names := append(*old, name)
	r.queue.Store(&names)
}
