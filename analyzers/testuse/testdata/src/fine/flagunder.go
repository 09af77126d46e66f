package fine

import "sync"

type rider struct {
	mu   *sync.Mutex // that of its Bus
	gone bool
	bye  chan struct{}
}

func (r *rider) Alight() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.gone {
		r.gone = true
		close(r.bye)
	}
}

type Bus struct {
	mu     sync.Mutex
	riders map[int]*rider
	seats  map[int]*seat
}

func (b *Bus) Board(n int) *rider {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := &rider{mu: &b.mu, bye: make(chan struct{})}
	b.riders[n] = r
	return r
}

func (b *Bus) Throw(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.riders[n]; r != nil && !r.gone {
		r.gone = true
		close(r.bye)
	}
}

type seat struct {
	mu    sync.Mutex
	taken bool
	free  chan struct{}
}

func (s *seat) leave() {
	if s.taken {
		s.taken = false
		close(s.free)
	}
}

func (s *seat) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave()
}

// Clear holds both.
func (b *Bus) Clear(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.seats[n]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave()
}
