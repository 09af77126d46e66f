package broken

import "sync"

// BareShelf is safe for concurrent use.
type BareShelf struct {
	mu    sync.Mutex
	books map[string]*bareBook
}

type bareBook struct{ lent int }

func (s *BareShelf) find(name string) (b *bareBook, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok = s.books[name]
	return
}

func (s *BareShelf) put(name string, b *bareBook) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[name] = b
}

// Book relies on what find returns without naming it.
func (s *BareShelf) Book(name string) *bareBook {
	b, ok := s.find(name) // want `two goroutines can both pass the test of s.books \(in s.find\) and both set it: s.mu is released in between`
	if !ok {
		b = &bareBook{}
		s.put(name, b)
	}
	return b
}

func (s *BareShelf) Lend(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.books[name]; b != nil {
		b.lent++
	}
}
