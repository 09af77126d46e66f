package broken

import "sync"

// subscribers is told of every price that comes in, turn by turn.
type subscribers struct {
	mu     sync.Mutex
	last   int
	open   map[*subscriber]bool
	prices chan int
	quit   chan struct{}
}

type subscriber struct{ prices chan int }

func Subscribe(prices chan int) *subscribers {
	s := &subscribers{open: map[*subscriber]bool{}, prices: prices, quit: make(chan struct{})}
	go s.serve()
	return s
}

func (s *subscribers) serve() {
	for {
		select {
		case p := <-s.prices:
			s.mu.Lock()
			s.last = p
			open := s.open // want `open is the map s.open itself, not a copy; it is used after s.mu was released`
			s.mu.Unlock()
			for sub := range open {
				sub.prices <- p
			}
		case <-s.quit:
			return
		}
	}
}

func (s *subscribers) Join(sub *subscriber) {
	s.mu.Lock()
	s.open[sub] = true
	s.mu.Unlock()
}

func (s *subscribers) Leave(sub *subscriber) {
	s.mu.Lock()
	delete(s.open, sub)
	s.mu.Unlock()
}
