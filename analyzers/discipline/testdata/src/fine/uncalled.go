package fine

import "sync"

// shelf has a method that the package calls nowhere, and hands no shelf out.
type shelf struct {
	mu    sync.Mutex
	books map[string]int
}

var shelves = &shelf{books: map[string]int{}}

func (s *shelf) add(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[name]++
}

func (s *shelf) drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.books, name)
}

// Volumes is left over from an earlier version.
func (s *shelf) Volumes() int { return len(s.books) }

func AddBook(name string)  { shelves.add(name) }
func DropBook(name string) { shelves.drop(name) }
