package fine

import "sync"

// Feeder hands on what it is fed.
//
// A Feeder is NOT safe for concurrent use. All calls
// must be made from a single goroutine.
type Feeder interface {
	Feed(grain string) int
	End()
}

type feeder struct {
	mu    sync.Mutex
	fed   int
	last  string
	ended bool
}

func NewFeeder(acks <-chan int) Feeder {
	f := &feeder{}
	go f.hear(acks)
	return f
}

func (f *feeder) hear(acks <-chan int) {
	for n := range acks {
		f.mu.Lock()
		f.fed -= n
		f.mu.Unlock()
	}
}

func (f *feeder) Feed(grain string) int {
	f.mu.Lock()
	f.fed++
	f.last = grain
	n := f.fed
	f.mu.Unlock()
	if f.last == "" { // nobody else is in Feed
		return 0
	}
	return n
}

func (f *feeder) End() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = ""
	f.ended = true
}
