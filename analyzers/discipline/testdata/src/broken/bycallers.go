package broken

import "sync"

// Sideboard leaves its lock to the callers of note.
type Sideboard struct {
	mu     sync.Mutex
	latest string
	shelf  map[string]int
}

// A Tureen tells the sideboard when it is opened or filled.
type Tureen struct {
	onOpen func()
	onFill func()
}

func (l *Sideboard) note(name string, left int) {
	l.latest = name
	l.shelf[name] = left
}

func (l *Sideboard) Put(name string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note(name, n)
}

func (l *Sideboard) Take(name string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.shelf[name]
	l.note(name, 0)
	return n
}

func (l *Sideboard) Latest() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.latest
}

func (l *Sideboard) Tureen(name string) *Tureen {
	return &Tureen{
		onOpen: func() {
			l.note(name, 1) // want `l.note, which changes Sideboard.latest, is called here without the lock that all its other callers hold: l.mu in \(\*Sideboard\).Put`
		},
		onFill: func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.note(name, 9)
		},
	}
}

// Scullery forgets the lock in one of three.
type Scullery struct {
	mu   sync.Mutex
	last string
}

func (s *Scullery) wash(what string) { s.last = what }

func (s *Scullery) Plates() {
	s.mu.Lock()
	s.wash("plates")
	s.mu.Unlock()
}

func (s *Scullery) Cups() {
	s.mu.Lock()
	s.wash("cups")
	s.mu.Unlock()
}

func (s *Scullery) Knives() {
	s.wash("knives") // want `s.last \(in s.wash\) is accessed here without the lock that all other functions hold for it: s.mu in \(\*Scullery\).Plates`
}

func (s *Scullery) Last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}
