package broken

import "sync"

// crate has a method that the package calls nowhere, as an interface asks for it.
type crate struct {
	mu   sync.Mutex
	jars map[string]int
}

var crates = &crate{jars: map[string]int{}}

func (s *crate) add(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jars[name]++
}

func (s *crate) drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.jars, name)
}

// Volumes is what is asked for.
func (s *crate) Volumes() int { return len(s.jars) } // want `len\(s.jars\) is accessed here without the lock`

func AddJar(name string)  { crates.add(name) }
func DropJar(name string) { crates.drop(name) }

// Counted has volumes.
type Counted interface{ Volumes() int }

func AllJars() Counted { return crates }
