package fine

import (
	"errors"
	"strings"
	"sync"
	"time"
)

var errBenchTaken = errors.New("taken")

// Benches can be used by several goroutines at the same time.
type Benches struct {
	mu    sync.Mutex
	taken map[string]*bench
	texts map[string]*benchText
}

type bench struct {
	guest string
	until time.Time
}

type benchText struct{ text string }

func (s *Benches) Guest(row string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.taken[row]
	if !ok {
		return "", false
	}
	return at.guest, true
}

// Reserve looks and stores in one critical section.
func (s *Benches) Reserve(row, guest string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, found := s.taken[row]; found {
		return errBenchTaken
	}
	s.taken[row] = &bench{guest: guest, until: time.Now().Add(time.Hour)}
	return nil
}

func (s *Benches) known(row string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.texts[row]
	if !ok {
		return "", false
	}
	return t.text, true
}

func (s *Benches) remember(row, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts[row] = &benchText{text: text}
}

// Text is the same whoever computes it.
func (s *Benches) Text(row string) string {
	if t, ok := s.known(row); ok {
		return t
	}
	t := strings.ToUpper(row)
	s.remember(row, t)
	return t
}
