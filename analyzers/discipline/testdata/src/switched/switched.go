package switched

import "sync"

// A shelf moves what is asked for to the front, if it is told to.
type shelf struct {
	books []string
	moved int
}

func (s *shelf) find(name string, move bool) int {
	for i, b := range s.books {
		if b == name {
			s.toFront(i, move)
			return i
		}
	}
	return -1
}

func (s *shelf) toFront(i int, move bool) {
	if move && i > 0 {
		s.books[0], s.books[i] = s.books[i], s.books[0]
		s.moved++
	}
}

func (s *shelf) Look(name string) int { return s.find(name, false) }

func (s *shelf) Pull(name string) int { return s.find(name, true) }

func (s *shelf) Put(name string) { s.books = append(s.books, name) }

// A Library is asked by many.
type Library struct {
	mu    sync.RWMutex
	shelf *shelf
}

func (l *Library) Put(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shelf.Put(name)
}

func (l *Library) Look(name string) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.shelf.Look(name)
}

func (l *Library) Pull(name string) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.shelf.Pull(name) // want `l.shelf.Pull changes l.shelf, and l.mu is held for reading only`
}
