package broken

import (
	"sync"
	"sync/atomic"
)

// Saver saves from one goroutine what others have changed.
type Saver struct {
	mu      sync.Mutex
	dirty   bool
	changed atomic.Bool
	busy    atomic.Bool
	before  atomic.Bool
	live    atomic.Bool
	ticks   chan int
}

func NewSaver() *Saver {
	s := &Saver{ticks: make(chan int)}
	go s.loop()
	return s
}

func (s *Saver) Change() {
	s.mu.Lock()
	s.dirty = true
	s.mu.Unlock()
	s.changed.Store(true)
	s.before.Store(true)
	s.live.Store(true)
}

// Begin lets two in.
func (s *Saver) Begin() bool {
	if s.busy.Load() { // want `two goroutines can both pass the test of s.busy and both set it: two atomic operations are not one`
		return false
	}
	s.busy.Store(true)
	return true
}

func (s *Saver) loop() {
	for n := range s.ticks {
		s.mu.Lock()
		dirty := s.dirty // want `another goroutine can set s.dirty between this test and the reset, which forgets it: s.mu is released in between`
		s.mu.Unlock()
		if dirty {
			s.save(n)
			s.mu.Lock()
			s.dirty = false
			s.mu.Unlock()
		}
		if s.changed.Load() { // want `another goroutine can set s.changed between this test and the reset, which forgets it: two atomic operations are not one`
			s.save(n)
			s.changed.Store(false)
		}
		if s.busy.Load() {
			s.save(n)
			s.busy.Store(false)
		}
		if s.before.Load() { // what is asked for after this is done next time
			s.before.Store(false)
			s.save(n)
		}
		if s.live.Load() {
			s.closeAll()
			s.live.Store(false)
		}
	}
}

func (s *Saver) save(int)  { s.ticks <- 1 }
func (s *Saver) closeAll() { s.ticks <- 2 }
