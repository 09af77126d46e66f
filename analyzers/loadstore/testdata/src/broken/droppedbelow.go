package broken

import "sync"

// A method drops the lock after it has set what its caller goes on to count with.

type Reel struct {
	mu    sync.Mutex
	tape  []byte
	at    int
	no    int
	queue []string
	sink  func(int, []byte) error
}

func NewReel(n int, sink func(int, []byte) error) *Reel {
	return &Reel{tape: make([]byte, n), sink: sink}
}

func (r *Reel) turnLocked() {
	full, no := r.tape[:r.at], r.no
	r.tape = make([]byte, len(r.tape))
	r.at = 0
	r.no++
	r.mu.Unlock()
	_ = r.sink(no, full)
	r.mu.Lock()
}

func (r *Reel) Record(b []byte) (no, at int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at = r.at // want `two goroutines can both read r.at before either stores it, and one update is lost: r.mu is released in between`
	if at+len(b) > len(r.tape) {
		at = 0
		r.turnLocked()
	}
	copy(r.tape[at:], b)
	r.at = at + len(b)
	return r.no, at
}

// next is not named for the lock that it drops.
func (r *Reel) next() {
	r.at = 0
	r.mu.Unlock()
	_ = r.sink(r.no, nil)
	r.mu.Lock()
}

func (r *Reel) Skip(n int) {
	r.mu.Lock()
	end := r.at + n // want `two goroutines can both read r.at before either stores it, and one update is lost: r.mu is released in between`
	switch {
	case end > len(r.tape):
		r.next()
		end = n
	}
	r.at = end
	r.mu.Unlock()
}
