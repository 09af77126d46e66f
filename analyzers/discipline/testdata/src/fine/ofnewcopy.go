package fine

import (
	"errors"
	"io"
	"sync"
)

// Scribe is copied, never changed.
type Scribe struct {
	mu  *sync.Mutex
	out io.Writer
	by  string
}

func NewScribe(out io.Writer) *Scribe { return &Scribe{mu: new(sync.Mutex), out: out} }

func (s *Scribe) twin() *Scribe {
	t := *s
	return &t
}

func (s *Scribe) For(by string) *Scribe {
	t := s.twin()
	s.mu.Lock()
	defer s.mu.Unlock()
	t.by = by
	io.WriteString(s.out, by)
	return t
}

func (s *Scribe) By() string { return s.by }

func (s *Scribe) Write(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	io.WriteString(s.out, s.by+line)
}

// Berth is given a name first.
type Berth struct {
	mu    sync.Mutex
	named bool
	name  string
	calls int
}

// Name gives it a name. It must be called before any other method.
func (b *Berth) Name(name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.named {
		return errors.New("named already")
	}
	b.name, b.named = name, true
	return nil
}

func (b *Berth) String() string { return b.name }

func (b *Berth) Label() string { return b.name }

func (b *Berth) Call() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	return b.name
}
