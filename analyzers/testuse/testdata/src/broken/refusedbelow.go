package broken

import (
	"errors"
	"sync"
)

// Ferry takes cars to the other side until the season ends.
type Ferry struct {
	mu    sync.RWMutex
	state int
	ramp  chan string
	crew  []string
}

var errSeasonOver = errors.New("the season is over")

func (f *Ferry) hire() (string, error) { return "", nil }

func (f *Ferry) board() error {
	f.mu.RLock()
	if f.state == 2 {
		f.mu.RUnlock()
		return errSeasonOver
	}
	if f.state == 0 {
		f.mu.RUnlock()
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.state == 1 {
			return nil
		}
		hand, err := f.hire()
		if err != nil {
			return err
		}
		f.crew = append(f.crew, hand)
		f.state = 1
		return nil
	}
	f.mu.RUnlock()
	return nil
}

// Drive sends a car aboard.
func (f *Ferry) Drive(car string) error {
	if err := f.board(); err != nil { // want `f.ramp can be closed between the test of Ferry.state in f.board and the send on it, which then panics`
		return err
	}
	f.ramp <- car
	return nil
}

// End is the last day of the season.
func (f *Ferry) End() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state == 2 {
		return
	}
	f.state = 2
	close(f.ramp)
}
