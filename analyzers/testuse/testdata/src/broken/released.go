package broken

import (
	"io"
	"sync"
)

// Spool writes to a file that can be taken from under it.
type Spool struct {
	mu   sync.Mutex
	file io.WriteCloser
	hook func(int)
	once io.Writer
}

func (s *Spool) Open(file io.WriteCloser, hook func(int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file, s.hook = file, hook
}

func (s *Spool) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		s.file.Close()
	}
	s.file, s.hook = nil, nil
}

func (s *Spool) Size() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		n = 1
	}
	return n
}

func (s *Spool) Write(b []byte) (int, error) {
	s.mu.Lock()
	if s.file == nil { // want `another goroutine can change s.file after it was tested and before it is used: s.mu has been released by then`
		s.mu.Unlock()
		return 0, io.ErrClosedPipe
	}
	s.mu.Unlock()
	return s.file.Write(b)
}

func (s *Spool) Tell(n int) {
	s.mu.Lock()
	known := s.hook != nil // want `another goroutine can change s.hook after it was tested and before it is used: s.mu has been released by then`
	s.mu.Unlock()
	if known {
		s.hook(n)
	}
}

// known breaks the rule.
func (s *Spool) known() bool { return s.file != nil && s.hook != nil && s.once != nil }

// Append goes on with what it has found.
func (s *Spool) Append(b []byte) (int, error) {
	s.mu.Lock()
	file := s.file
	s.mu.Unlock()
	if file == nil {
		return 0, io.ErrClosedPipe
	}
	return file.Write(b)
}

func (s *Spool) SetOnce(w io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.once = w
}

// Once is set, and never taken away.
func (s *Spool) Once(b []byte) {
	s.mu.Lock()
	known := s.once != nil
	s.mu.Unlock()
	if known {
		s.once.Write(b)
	}
}
