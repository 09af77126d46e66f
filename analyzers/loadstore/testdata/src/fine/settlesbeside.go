package fine

import (
	"errors"
	"slices"
	"sync"
)

type moor struct{ at string }

func newMoor(at string) (*moor, error) {
	if at == "" {
		return nil, errors.New("no quay")
	}
	return &moor{at}, nil
}

// Ferry takes the lines that the quay and it have in common, once.
type Ferry struct {
	mu     sync.Mutex
	lines  []string
	change []string
	moor   *moor
	tied   bool
}

// Moor reads the lines, and stores others only where no one else has come here.
func (f *Ferry) Moor(at string, offered []string) error {
	f.mu.Lock()
	lines := slices.Clone(f.lines)
	f.mu.Unlock()
	var common []string
	for _, l := range lines {
		if slices.Contains(offered, l) {
			common = append(common, l)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.moor != nil {
		f.change = common
		return nil
	}
	f.lines = common
	m, err := newMoor(at)
	if err != nil {
		return err
	}
	f.moor = m
	return nil
}

// Tie changes the lines when the ferry is moored.
func (f *Ferry) Tie() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tied {
		if len(f.change) > 0 {
			f.lines = f.change
		}
		return nil
	}
	if f.moor == nil {
		return errors.New("not moored")
	}
	f.tied = true
	return nil
}

func (f *Ferry) Lines() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.lines)
}
