package fine

import "sync"

type placard struct {
	name  string
	rooms map[string]bool
}

func (p *placard) count() (n int) {
	for range p.rooms {
		n++
	}
	return n
}

func (p *placard) put(r string) { p.rooms[r] = true }

// Placards changes only those of the list, with the lock; its own one stays as it was made.
type Placards struct {
	mu    sync.Mutex
	list  map[string]*placard
	other int
}

func (t *Placards) Put(n, r string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.list[n]; p != nil {
		p.put(r)
	}
}

func (t *Placards) Count(n string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.list[n]; p != nil {
		return p.count()
	}
	return 0
}

func (t *Placards) All() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.list {
		n += p.count()
	}
	return n
}

type bookcase struct{ books map[string]int }

func (s *bookcase) has(b string) bool { return s.books[b] > 0 }

// Shelves never change once they are made; the lock is for the readers.
type Shelves struct {
	mu      sync.Mutex
	first   *bookcase
	readers int
}

func NewShelves() *Shelves { return &Shelves{first: &bookcase{map[string]int{"a": 1}}} }

func (s *Shelves) Has(b string) bool { return s.first.has(b) }

func (s *Shelves) Borrow(b string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers++
	return s.first.has(b)
}

func (s *Shelves) Return(b string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers--
	return s.first.has(b)
}
