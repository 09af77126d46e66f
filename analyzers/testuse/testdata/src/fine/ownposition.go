package fine

import "sync"

type BookShelf struct {
	mu    sync.RWMutex
	books []string
	at    map[string]int
}

func (s *BookShelf) Add(b string) {
	s.mu.Lock()
	s.books = append(s.books, b)
	s.at[b] = len(s.books) - 1
	s.mu.Unlock()
}

// push says where it has put it.
func (s *BookShelf) push(b string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books = append(s.books, b)
	return len(s.books) - 1
}

func (s *BookShelf) Put(b string) {
	at := s.push(b)
	s.mu.Lock()
	s.at[b] = at
	s.mu.Unlock()
}

// Drop takes the last one, whosever it is.
func (s *BookShelf) Drop(b string) string {
	s.push(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.books) - 1
	gone := s.books[last]
	s.books = s.books[:last]
	return gone
}
