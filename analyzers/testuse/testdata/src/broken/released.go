package broken

import (
	"io"
	"sync"
)

// Logfile writes to a file that can be taken from under it.
type Logfile struct {
	mu   sync.Mutex
	file io.WriteCloser
	hook func(int)
	once io.Writer
}

func (s *Logfile) Open(file io.WriteCloser, hook func(int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file, s.hook = file, hook
}

func (s *Logfile) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		s.file.Close()
	}
	s.file, s.hook = nil, nil
}

func (s *Logfile) Size() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		n = 1
	}
	return n
}

func (s *Logfile) Write(b []byte) (int, error) {
	s.mu.Lock()
	if s.file == nil { // want `another goroutine can change s.file after it was tested and before it is used: s.mu has been released by then`
		s.mu.Unlock()
		return 0, io.ErrClosedPipe
	}
	s.mu.Unlock()
	return s.file.Write(b)
}

func (s *Logfile) Tell(n int) {
	s.mu.Lock()
	known := s.hook != nil // want `another goroutine can change s.hook after it was tested and before it is used: s.mu has been released by then`
	s.mu.Unlock()
	if known {
		s.hook(n)
	}
}

// known breaks the rule.
func (s *Logfile) known() bool { return s.file != nil && s.hook != nil && s.once != nil }

// Append goes on with what it has found.
func (s *Logfile) Append(b []byte) (int, error) {
	s.mu.Lock()
	file := s.file
	s.mu.Unlock()
	if file == nil {
		return 0, io.ErrClosedPipe
	}
	return file.Write(b)
}

func (s *Logfile) SetOnce(w io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.once = w
}

// Once is set, and never taken away.
func (s *Logfile) Once(b []byte) {
	s.mu.Lock()
	known := s.once != nil
	s.mu.Unlock()
	if known {
		s.once.Write(b)
	}
}
