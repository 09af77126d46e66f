package broken

import (
	"errors"
	"sync"
)

var errTooOld = errors.New("too old")

type captain struct {
	name, port string
}

// A Fleet has one captain at a time.
type Fleet struct {
	mu      sync.RWMutex
	term    int
	captain captain
}

func (f *Fleet) Captain() (captain, int) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.captain, f.term
}

func (f *Fleet) Retire() {
	f.mu.Lock()
	f.captain = captain{}
	f.mu.Unlock()
}

func (f *Fleet) Appoint(name string, term int, find func(string) (string, error)) error {
	f.mu.Lock()
	if term <= f.term {
		f.mu.Unlock()
		return errTooOld
	}
	f.term = term // want `f.term and f.captain are set in two critical sections, one after the other; \(\*Fleet\).Captain reads both in one, and can find the new one of the first with the old one of the second`
	f.mu.Unlock()
	port, err := find(name)
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.captain = captain{name: name, port: port}
	f.mu.Unlock()
	return nil
}
