package main

import "sync"

// shelf is what a program keeps for itself; its lock tells that goroutines meet.
type shelf struct {
	mu    sync.RWMutex
	books map[string]int
}

func (s *shelf) lend(title string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.books[title] > 0 { // want `two goroutines can both pass the test of s.books\[title\] and both delete it: s.mu is held for reading only, which others can do at the same time`
		delete(s.books, title)
		return true
	}
	return false
}

func (s *shelf) put(title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[title] = 1
}
