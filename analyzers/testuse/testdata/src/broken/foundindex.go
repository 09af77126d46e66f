package broken

import "sync"

// An element is used at an index that was found in an earlier critical section.

type FoundShelf struct {
	mu    sync.Mutex
	books []book
	refs  []*book
}

type book struct {
	id    string
	loans int
}

func NewShelf() *FoundShelf { return &FoundShelf{} }

func (s *FoundShelf) Add(b book) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books = append(s.books, b)
	s.refs = append(s.refs, &b)
}

func (s *FoundShelf) Remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, b := range s.books {
		if b.id == id {
			s.books = append(s.books[:i], s.books[i+1:]...)
			s.refs = append(s.refs[:i], s.refs[i+1:]...)
			return
		}
	}
}

func (s *FoundShelf) find(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, b := range s.books {
		if b.id == id {
			return i
		}
	}
	return -1
}

func (s *FoundShelf) Replace(id string, b book) bool {
	i := s.find(id) // want `s.books\[i\] is used at an index that was found before s.mu was released: \(\*FoundShelf\).Remove moves its elements \(append\(s.books\[:i\], s.books\[i \+ 1:\]...\)\), so that another one, or none, can stand there`
	if i < 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[i] = b
	return true
}

func (s *FoundShelf) Get(id string) (book, bool) {
	i := s.find(id) // want `s.books\[i\] is used at an index that was found before s.mu was released`
	if i < 0 {
		return book{}, false
	}
	s.mu.Lock()
	b := s.books[i]
	s.mu.Unlock()
	return b, true
}

func (s *FoundShelf) Lend(id string, ask func() bool) bool {
	at := -1
	s.mu.Lock()
	for i := range s.refs { // want `s.refs\[at\] is used at an index that was found before s.mu was released`
		if s.refs[i].id == id {
			at = i
		}
	}
	s.mu.Unlock()
	if at < 0 || !ask() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refs[at].loans++
	return true
}
