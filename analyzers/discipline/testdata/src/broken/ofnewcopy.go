package broken

import (
	"errors"
	"io"
	"sync"
)

// Scribe changes itself, whatever twin is for.
type Scribe struct {
	mu  *sync.Mutex
	out io.Writer
	by  string
}

func NewScribe(out io.Writer) *Scribe { return &Scribe{mu: new(sync.Mutex), out: out} }

func (s *Scribe) twin() *Scribe {
	if s.out == nil {
		return s
	}
	t := *s
	return &t
}

func (s *Scribe) For(by string) *Scribe {
	t := s.twin()
	s.mu.Lock()
	defer s.mu.Unlock()
	t.by = by
	return t
}

func (s *Scribe) Write(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	io.WriteString(s.out, s.by+line)
}

func (s *Scribe) By() string { return s.by } // want `s.by is read here without s.mu, which all functions hold that write it, as \(\*Scribe\).For does`

// Berth is given a name at any time.
type Berth struct {
	mu    sync.Mutex
	named bool
	name  string
	calls int
}

// Name gives it a name, which it has before the other methods look at it again.
func (b *Berth) Name(name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.named {
		return errors.New("named already")
	}
	b.name, b.named = name, true
	return nil
}

func (b *Berth) Label() string { return b.name } // want `b.name is read here without b.mu, which all functions hold that write it, as \(\*Berth\).Name does`

func (b *Berth) Call() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	return b.name
}
