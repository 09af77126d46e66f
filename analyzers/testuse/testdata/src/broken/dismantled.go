package broken

import (
	"bufio"
	"sync"
	"sync/atomic"
)

// Spool loses its writer when it is closed.
type Spool struct {
	closed atomic.Bool
	mu     sync.Mutex
	w      *bufio.Writer
	next   *bufio.Writer
	seen   *bufio.Writer
	kept   *bufio.Writer
	drop   func()
	busy   sync.WaitGroup
}

func (s *Spool) Write(p []byte) (int, error) {
	if s.closed.Load() { // want `s.closed is looked at before s.mu is taken: by then \(\*Spool\).Close can have set it and taken s.w away, which is used here`
		return 0, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.w.Write(p)
	return n, err
}

func (s *Spool) done() bool { return s.closed.Load() }

func (s *Spool) Drop() {
	if !s.done() { // want `s.closed \(in s.done\) is looked at before s.mu is taken: by then \(\*Spool\).Close can have set it and taken s.drop away, which is used here`
		s.mu.Lock()
		s.drop()
		s.mu.Unlock()
	}
}

// Again looks once more.
func (s *Spool) Again(p []byte) (int, error) {
	if s.closed.Load() {
		return 0, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return 0, nil
	}
	return s.w.Write(p)
}

// Look finds out that it is gone.
func (s *Spool) Look(p []byte) (int, error) {
	if s.closed.Load() {
		return 0, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		return 0, nil
	}
	return s.seen.Write(p)
}

// Kept uses what stays.
func (s *Spool) Kept(p []byte) (int, error) {
	if s.closed.Load() {
		return 0, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.Write(p)
}

// Within has the lock when it looks.
func (s *Spool) Within(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return 0, nil
	}
	return s.next.Write(p)
}

func (s *Spool) Close() error {
	if !s.closed.CompareAndSwap(false, true) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.w.Flush()
	s.w, s.next, s.seen = nil, nil, nil
	s.drop = nil
	return err
}

// A Gate waits for those that it has let in.
type Gate struct {
	shut atomic.Bool
	mu   sync.Mutex
	w    *bufio.Writer
	busy sync.WaitGroup
}

func (g *Gate) Write(p []byte) (int, error) {
	if g.shut.Load() {
		return 0, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.w.Write(p)
}

func (g *Gate) Close() {
	g.shut.Store(true)
	g.busy.Wait()
	g.mu.Lock()
	g.w = nil
	g.mu.Unlock()
}
