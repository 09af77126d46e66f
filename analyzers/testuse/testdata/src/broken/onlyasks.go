package broken

import "sync"

type slab struct{ index int }

// Slabs are made where they are asked for.
type Slabs struct {
	mu    sync.RWMutex
	slabs [8]*slab
}

func (s *Slabs) Put(i int) *slab {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := &slab{i}
	s.slabs[i%8] = n
	return n
}

// Get asks by a literal.
func (s *Slabs) Get(i int) *slab {
	s.mu.RLock()
	defer s.mu.RUnlock()
	is := func(b *slab, i int) bool { return b != nil && b.index == i }
	p := i % 8
	b := s.slabs[p] // want `two goroutines can both pass the test of s\.slabs\[p\] and both set it: s\.mu is held for reading only`
	if !is(b, i) {
		b = &slab{i}
		s.slabs[p] = b
	}
	return b
}

func isSlab(b *slab, i int) bool { return b != nil && b.index == i }

// Have asks by a function.
func (s *Slabs) Have(i int) *slab {
	s.mu.RLock()
	defer s.mu.RUnlock()
	b := s.slabs[i%8] // want `two goroutines can both pass the test of s\.slabs\[i % 8\] and both set it: s\.mu is held for reading only`
	if !isSlab(b, i) {
		b = &slab{i}
		s.slabs[i%8] = b
	}
	return b
}

// Need holds the lock for writing.
func (s *Slabs) Need(i int) *slab {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.slabs[i%8]
	if !isSlab(b, i) {
		b = &slab{i}
		s.slabs[i%8] = b
	}
	return b
}
