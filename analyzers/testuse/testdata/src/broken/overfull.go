package broken

import "sync"

// Bookcase keeps a number of books.
type Bookcase struct {
	mu     sync.RWMutex
	books  map[string]string
	max    int
	oldest string
}

// Put makes room first, if there is none.
func (s *Bookcase) Put(title, text string) {
	s.mu.RLock()
	n := len(s.books) // want `two goroutines can both find room in s.books, or make it for one, and then both put an entry into it: s.mu is released in between, and the length is not looked at again`
	s.mu.RUnlock()
	if n > 0 && n == s.max {
		s.drop()
	}
	s.mu.Lock()
	s.books[title] = text
	s.mu.Unlock()
}

func (s *Bookcase) drop() {
	s.mu.RLock()
	first := s.oldest
	s.mu.RUnlock()
	s.Remove(first)
}

// Remove takes a book away.
func (s *Bookcase) Remove(title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.books[title]; there {
		delete(s.books, title)
	}
}
