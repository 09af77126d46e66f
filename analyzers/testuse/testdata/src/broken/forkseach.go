package broken

import (
	"errors"
	"sync"
)

type forkCount struct{ n int }

type forkSource struct{ names chan string }

func (f *forkSource) next() (string, bool) {
	name, ok := <-f.names
	return name, ok
}

// A Splitter hands what comes on; each Feed has a goroutine of its own until the end.
type Splitter struct {
	mu     sync.RWMutex
	ended  bool
	counts map[string]*forkCount
	wg     sync.WaitGroup
}

// Feed begins another one.
func (s *Splitter) Feed(names chan string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return errors.New("ended")
	}
	s.wg.Add(1)
	go s.pass(&forkSource{names})
	return nil
}

func (s *Splitter) pass(in *forkSource) {
	defer s.wg.Done()
	for name, ok := in.next(); ok; name, ok = in.next() {
		s.forked(name)
	}
}

func (s *Splitter) forked(name string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if _, ok := s.counts[name]; !ok { // want `two goroutines can both pass the test of s.counts\[name\] and both set it: s.mu is held for reading only`
		s.counts[name] = &forkCount{}
	}
}

// Forget is for a name that is not used any more.
func (s *Splitter) Forget(name string) {
	s.mu.Lock()
	delete(s.counts, name)
	s.mu.Unlock()
}

// Finish waits for all.
func (s *Splitter) Finish() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.wg.Wait()
}
