package fine

import "sync"

// Stall changes its stock with both locks held, so that either will do to look at it.
type Stall struct {
	changing sync.Mutex
	mu       sync.RWMutex
	stock    map[string]int
	sold     int
	opened   string
}

func (s *Stall) Put(what string, n int) {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.mu.Lock()
	s.stock[what] = n
	s.mu.Unlock()
}

func (s *Stall) Get(what string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.stock[what]
}

func (s *Stall) Has(what string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.stock[what] > 0
}

// Twice is the only one that changes anything meanwhile.
func (s *Stall) Twice(what string) {
	s.changing.Lock()
	defer s.changing.Unlock()
	n := s.stock[what]
	s.mu.Lock()
	s.stock[what] = 2 * n
	s.mu.Unlock()
}

// sell is called with the lock held.
func (s *Stall) sell(n int) { s.sold += n }

func (s *Stall) Sell(what string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sell(n)
}

func (s *Stall) Sold() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.sold
}

// SellBoth takes the one inside the other.
func (s *Stall) SellBoth(n int) {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sold += n
}

// NewStall has it for itself.
func NewStall(at string) *Stall {
	s := &Stall{stock: map[string]int{}}
	s.changing.Lock()
	s.opened = at
	s.changing.Unlock()
	return s
}

func (s *Stall) Opened() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.opened
}

func (s *Stall) Reopen(at string) {
	s.mu.Lock()
	s.opened = at
	s.mu.Unlock()
}
