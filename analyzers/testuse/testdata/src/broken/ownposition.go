package broken

import "sync"

type BookShelf struct {
	mu    sync.RWMutex
	books []string
	at    map[string]int
}

func (s *BookShelf) push(b string) {
	s.mu.Lock()
	s.books = append(s.books, b)
	s.mu.Unlock()
}

func (s *BookShelf) Add(b string) {
	s.push(b) // want `another goroutine can append to s.books before its length is asked for, as s.mu is released in between: the last element is that one's then`
	s.mu.Lock()
	s.at[b] = len(s.books) - 1
	s.mu.Unlock()
}

func (s *BookShelf) Put(b string) int {
	s.mu.Lock()
	s.books = append(s.books, b) // want `another goroutine can append to s.books before its length is asked for, as s.mu is released in between: the last element is that one's then`
	s.mu.Unlock()
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.books) - 1
}
