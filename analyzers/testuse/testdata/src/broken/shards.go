package broken

import "sync"

type alcove struct {
	mu    sync.Mutex
	books map[string]*tome
}

type tome struct{ pages chan string }

func newTome(title string) *tome {
	t := &tome{pages: make(chan string)}
	go func() {
		for page := range t.pages {
			println(title, page)
		}
	}()
	return t
}

// Alcoves has its books in alcoves, each with a lock of its own.
type Alcoves struct{ parts []*alcove }

func NewAlcoves() *Alcoves {
	a := &Alcoves{parts: make([]*alcove, 16)}
	for i := range a.parts {
		a.parts[i] = &alcove{books: map[string]*tome{}}
	}
	return a
}

// Book looks a book up.
func (a *Alcoves) Book(title string) *tome {
	part := a.parts[len(title)%16]
	part.mu.Lock()
	defer part.mu.Unlock()
	return part.books[title]
}

// Keep puts a book where it belongs.
func (a *Alcoves) Keep(title string, f *tome) {
	part := a.parts[len(title)%16]
	part.mu.Lock()
	defer part.mu.Unlock()
	part.books[title] = f
}

// Ensure is the book, a new one if there is none.
func (a *Alcoves) Ensure(title string) *tome {
	f := a.Book(title) // want `two goroutines can both pass the test of a.parts\[len\(title\) % 16\].books \(in a.Book\) and both set it`
	if f == nil {
		f = newTome(title)
		a.Keep(title, f)
	}
	return f
}

type archiveBase struct {
	sync.Mutex
	deeds map[string]*tome
}

func (b *archiveBase) deed(name string) *tome {
	b.Lock()
	defer b.Unlock()
	return b.deeds[name]
}

// Archivist is made on the base of another type.
type Archivist struct{ archiveBase }

// Deed is the deed, a new one if there is none.
func (a *Archivist) Deed(name string) *tome {
	if f := a.deed(name); f != nil { // want `two goroutines can both pass the test of a.archiveBase.deeds \(in a.deed\) and both set it`
		return f
	}
	f := newTome(name)
	a.Lock()
	a.deeds[name] = f
	a.Unlock()
	return f
}
