package fine

import (
	"maps"
	"sync"
	"sync/atomic"
)

type reader struct {
	pages map[string]int
	news  chan string
}

type Journal struct {
	mu      sync.Mutex
	pages   map[string]int
	title   string
	readers []*reader
	archive []*reader
}

func (j *Journal) Print(page string, at int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.pages[page] = at
	for _, r := range j.readers {
		r.news <- page
	}
}

// Entitle tells nobody.
func (j *Journal) Entitle(title string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.title = title
	n := 0
	for range j.readers {
		n++
	}
}

func (j *Journal) all() map[string]int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.pages)
}

func (j *Journal) add(r *reader) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.readers = append(j.readers, r)
}

// Subscribe is put on the list first, and may be told of what it knows.
func (j *Journal) Subscribe() *reader {
	r := &reader{news: make(chan string, 1)}
	j.add(r)
	r.pages = j.all()
	return r
}

// Together does both in one critical section.
func (j *Journal) Together() *reader {
	r := &reader{news: make(chan string, 1)}
	j.mu.Lock()
	defer j.mu.Unlock()
	r.pages = maps.Clone(j.pages)
	j.readers = append(j.readers, r)
	return r
}

// Again looks once more afterwards.
func (j *Journal) Again() *reader {
	r := &reader{news: make(chan string, 1)}
	r.pages = j.all()
	if len(r.pages) == 0 {
		return nil
	}
	j.add(r)
	r.pages = j.all()
	return r
}

// Titled takes what nobody is told of, and Stored is put on a list of those who are not told.
func (j *Journal) Titled() string {
	j.mu.Lock()
	title := j.title
	j.mu.Unlock()
	j.add(&reader{news: make(chan string, 1)})
	return title
}

func (j *Journal) Stored() *reader {
	r := &reader{pages: j.all()}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.archive = append(j.archive, r)
	return r
}

// An UntoldSettings tells those who watch of its settings, and registers them first.
type UntoldSettings struct {
	now     atomic.Pointer[string]
	mu      sync.Mutex
	watches []func(*string)
}

func (s *UntoldSettings) Set(v string) {
	s.now.Store(&v)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.watches {
		w(&v)
	}
}

func (s *UntoldSettings) Watch(f func(*string)) {
	s.mu.Lock()
	s.watches = append(s.watches, f)
	s.mu.Unlock()
	f(s.now.Load())
}
