package broken

import "sync"

// Shelf has methods that lock on their own.
type Shelf struct {
	mu    sync.RWMutex
	books []string
	grown []string
}

func (s *Shelf) Add(b string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books = append(s.books, b)
	s.grown = append(s.grown, b)
}

func (s *Shelf) Clear(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books = append([]string(nil), s.books[n:]...)
}

func (s *Shelf) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.books)
}

func (s *Shelf) At(i int) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.books[i]
}

// Try looks at the index itself.
func (s *Shelf) Try(i int) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if i >= len(s.books) {
		return ""
	}
	return s.books[i]
}

func (s *Shelf) Find(name string) int {
	for i := 0; i < s.Len(); i++ { // want `Shelf.books is asked how long it is, and for an element under the lock taken anew: \(\*Shelf\).Clear can make it shorter in between, and the index is out of range`
		if s.At(i) == name {
			return i
		}
	}
	return -1
}

// LastOf is a function beside the type.
func LastOf(s *Shelf) string {
	n := s.Len() // want `Shelf.books is asked how long it is`
	if n == 0 {
		return ""
	}
	return s.At(n - 1)
}

func (s *Shelf) Nth(i int) string {
	switch {
	case i < 0:
		return ""
	}
	if i < s.Len() { // want `Shelf.books is asked how long it is`
		return s.At(i)
	}
	return ""
}

func (s *Shelf) Safe(name string) bool {
	for i := 0; i < s.Len(); i++ {
		if s.Try(i) == name {
			return true
		}
	}
	return false
}

func (s *Shelf) GrownLen() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.grown)
}

func (s *Shelf) GrownAt(i int) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.grown[i]
}

// Grown walks through what only grows.
func (s *Shelf) Grown(name string) bool {
	for i := 0; i < s.GrownLen(); i++ {
		if s.GrownAt(i) == name {
			return true
		}
	}
	return false
}
