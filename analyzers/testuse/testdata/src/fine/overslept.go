package fine

import "sync"

// Lock keeps all on its list until it fills.
type Sluice struct {
	mu     sync.Mutex
	level  int
	full   bool
	inside []chan struct{}
	hooks  []func()
}

func (s *Sluice) at() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.level
}

func (s *Sluice) Fill(to int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level = to
	for _, ch := range s.inside {
		close(ch)
	}
	s.inside = nil
}

// Await looks again where it registers.
func (s *Sluice) Await(level int) {
	if s.at() >= level {
		return
	}
	ch := make(chan struct{})
	s.mu.Lock()
	if s.level >= level {
		s.mu.Unlock()
		return
	}
	s.inside = append(s.inside, ch)
	s.mu.Unlock()
	<-ch
}

// AwaitAfter registers first, and looks afterwards.
func (s *Sluice) AwaitAfter(level int) {
	if s.at() >= level {
		return
	}
	ch := make(chan struct{})
	s.mu.Lock()
	s.inside = append(s.inside, ch)
	s.mu.Unlock()
	if s.at() >= level {
		return
	}
	<-ch
}

// Locked does both in one critical section.
func (s *Sluice) Locked(level int) {
	ch := make(chan struct{})
	s.mu.Lock()
	if s.level >= level {
		s.mu.Unlock()
		return
	}
	s.inside = append(s.inside, ch)
	s.mu.Unlock()
	<-ch
}

func (s *Sluice) isFull() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.full
}

func (s *Sluice) Flood() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full = true
	for _, hook := range s.hooks {
		hook()
	}
}

// OnDrain is for sluices that are full: that one fills afterwards does not matter.
func (s *Sluice) OnDrain(hook func()) {
	if !s.isFull() {
		return
	}
	s.mu.Lock()
	s.hooks = append(s.hooks, hook)
	s.mu.Unlock()
}
