package waiting

import (
	"sync"
	"sync/atomic"
)

// Sluice opens once; those who wait have tested that in another critical section.
type Sluice struct {
	mu    sync.Mutex
	moved *sync.Cond
	open  bool
	level int
	gone  atomic.Bool
	boats []string
}

func NewSluice() *Sluice {
	s := &Sluice{}
	s.moved = sync.NewCond(&s.mu)
	return s
}

func (s *Sluice) Open(level int) {
	s.mu.Lock()
	s.open, s.level = true, level
	s.boats = append(s.boats, "")
	s.moved.Broadcast()
	s.mu.Unlock()
}

func (s *Sluice) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone.Store(true)
	s.moved.Broadcast()
}

func (s *Sluice) isOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

func (s *Sluice) AwaitGetter() {
	if !s.isOpen() { // want `s.open can change, and the signal be given to nobody, between the test of it and s.moved.Wait, which is in another critical section and has no test of its own`
		s.mu.Lock()
		s.moved.Wait()
		s.mu.Unlock()
	}
}

func (s *Sluice) AwaitLoop() {
	for !s.isOpen() { // want `s.open can change, and the signal be given to nobody`
		s.mu.Lock()
		s.moved.Wait()
		s.mu.Unlock()
	}
}

func (s *Sluice) AwaitLocal(level int) {
	s.mu.Lock()
	now := s.level // want `s.level can change, and the signal be given to nobody`
	s.mu.Unlock()
	if now >= level {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moved.Wait()
}

func (s *Sluice) AwaitAtomic() {
	switch {
	case s.gone.Load(): // want `s.gone can change, and the signal be given to nobody`
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moved.Wait()
}

// AwaitAgain tests again under the lock of the wait.
func (s *Sluice) AwaitAgain() {
	if s.isOpen() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.open {
		s.moved.Wait()
	}
}

// AwaitEach goes on with the lock held.
func (s *Sluice) AwaitEach() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if s.open {
			return
		}
		s.moved.Wait()
	}
}

// AwaitNext waits for whatever comes next.
func (s *Sluice) AwaitNext() {
	s.mu.Lock()
	s.moved.Wait()
	s.mu.Unlock()
}

func (s *Sluice) openLocked() bool { return s.open }

// AwaitLocked tests by a method under the lock.
func (s *Sluice) AwaitLocked() {
	s.mu.Lock()
	for !s.openLocked() {
		s.moved.Wait()
	}
	s.mu.Unlock()
}

// waitLocked is called with the lock held.
func (s *Sluice) waitLocked() {
	if !s.open {
		s.moved.Wait()
	}
}

func (s *Sluice) AwaitInside() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waitLocked()
}
