package drain

import "sync/atomic"

// Sync does what it has been asked for when it is told that it can.
type Sync struct {
	wanted atomic.Bool
	again  int32
	saved  atomic.Bool
	own    atomic.Bool
	events chan int
}

func NewSync() *Sync {
	s := &Sync{events: make(chan int)}
	go s.loop()
	return s
}

func (s *Sync) Ask() {
	s.wanted.Store(true)
	atomic.StoreInt32(&s.again, 1)
	s.saved.Store(true)
}

func (s *Sync) loop() {
	for n := range s.events {
		wanted := s.wanted.Load() // want `one update is lost: two atomic operations are not one`
		s.wanted.Store(false)
		if wanted {
			s.sync(n)
		}
		again := atomic.LoadInt32(&s.again) == 1 // want `one update is lost: two atomic operations are not one`
		atomic.StoreInt32(&s.again, 0)
		if !again {
			continue
		}
		s.sync(n)
	}
}

func (s *Sync) sync(int) { s.events <- 1 }

// Quietly has nothing asked for, and then restores what was asked for.
func (s *Sync) Quietly(f func()) {
	was := s.saved.Load()
	s.saved.Store(false)
	f()
	if was {
		s.saved.Store(true)
	}
}

// Once asks and resets in one step.
type Once struct{ wanted atomic.Bool }

func (o *Once) Ask() { o.wanted.Store(true) }

func (o *Once) Do(s *Sync) {
	if o.wanted.Swap(false) {
		s.sync(1)
	}
}

// First does before it forgets: nobody else asks.
func (s *Sync) First(n int) {
	own := s.own.Load()
	s.own.Store(false)
	if own {
		s.sync(n)
	}
}
