package fine

import (
	"fmt"
	"strings"
	"sync"
)

type breaks struct {
	mu   sync.Mutex
	list map[int]string
}

func (b *breaks) add(at int, what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list[at] = what
}

func (b *breaks) remove(at int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.list, at)
}

func (b *breaks) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.list)
}

// Nobody shows it: fmt does not look into fields without a name for others.
func (b *breaks) String() string {
	var s []string
	for at, what := range b.list {
		s = append(s, fmt.Sprint(at, what))
	}
	return strings.Join(s, ",")
}

// Session has breaks.
type Session struct{ b *breaks }

func (s *Session) Add(at int, what string) { s.b.add(at, what) }
func (s *Session) Remove(at int)           { s.b.remove(at) }
func (s *Session) Count() int              { return s.b.count() }

// Sink is given its meter before anybody else has it.
type Sink struct {
	mu    sync.Mutex
	meter map[string]int
}

func (s *Sink) WithMeter(m map[string]int) *Sink {
	s.meter = m
	return s
}

func (s *Sink) Put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meter[k]++
}

func (s *Sink) Reset(m map[string]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meter = m
}

func (s *Sink) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.meter)
}
