package fine

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

// Appoint looks at the term again.
func (f *Fleet) Appoint(name string, term int, find func(string) (string, error)) error {
	f.mu.Lock()
	if term <= f.term {
		f.mu.Unlock()
		return errTooOld
	}
	f.term = term
	f.mu.Unlock()
	port, err := find(name)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.term != term {
		return errTooOld
	}
	f.captain = captain{name: name, port: port}
	return nil
}
