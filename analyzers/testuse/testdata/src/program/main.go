// Package main is a program, which nobody calls from outside.
package main

// Readers are served by whoever the server starts for them.
type Readers interface{ Visit(title string) }

type library struct{ open *shelf }

func serve(Readers) {}

func main() {
	serve(&library{open: newShelf()})
	opens()
	writes()
}

func newShelf() *shelf {
	s := &shelf{books: map[string]int{}}
	go s.tidy()
	return s
}

func (l *library) Visit(title string) {
	if !l.open.lend(title) {
		l.open.put(title)
	}
}

func (s *shelf) tidy() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.books)
}
