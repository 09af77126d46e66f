package broken

import (
	"errors"
	"sync/atomic"
)

// Ferry takes cars as long as they are not too heavy; what is done about one that is not
// taken is done by a function of its own.
type Ferry struct {
	weight atomic.Int64
	most   int64
	check  func(int64) error
	deck   chan int64
}

func (f *Ferry) Board(car int64) error {
	before := f.weight.Load() // want `f.weight is set back to what it was before: what other goroutines have added to it in between is lost`
	if f.weight.Add(car) > f.most {
		f.lighten(car)
		return errors.New("full")
	}
	if err := f.check(car); err != nil {
		f.putBack(before)
		return err
	}
	f.deck <- car
	return nil
}

func (f *Ferry) Leave() {
	f.weight.Add(-<-f.deck)
}

// Load boards the cars of several lanes.
func (f *Ferry) Load(lanes []chan int64) {
	for _, lane := range lanes {
		go func() {
			for car := range lane {
				f.Board(car)
			}
		}()
	}
}

func (f *Ferry) lighten(car int64) { f.weight.Add(-car) }

func (f *Ferry) putBack(n int64) { f.weight.Store(n) }
