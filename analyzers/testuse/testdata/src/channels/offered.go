package channels

import "errors"

var errFull = errors.New("full")

// A Feeder hands items to its goroutine.
type Feeder struct {
	items chan int
	quick chan int
	back  chan int
}

func NewFeeder(n int) *Feeder {
	f := &Feeder{items: make(chan int, n), quick: make(chan int, n), back: make(chan int, n)}
	go f.loop()
	return f
}

func (f *Feeder) loop() {
	for i := range f.items {
		if len(f.back) < cap(f.back) {
			f.back <- i // nobody else sends
		}
	}
	for range f.quick {
	}
}

// Feed does not block.
func (f *Feeder) Feed(i int) error {
	if len(f.items) == cap(f.items) { // want `another goroutine can use f.items after its length was looked at`
		return errFull
	}
	f.items <- i
	return nil
}

func (f *Feeder) Quick(i int) error {
	if len(f.quick) == cap(f.quick) {
		return errFull
	}
	select {
	case f.quick <- i:
		return nil
	default:
		return errFull
	}
}

// Back is the only one that receives.
func (f *Feeder) Back() int {
	if len(f.back) > 0 {
		return <-f.back
	}
	return 0
}

func (f *Feeder) Len() int { return len(f.items) }
