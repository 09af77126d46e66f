package broken

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

// Leaving casts off, and can be moored again.
type Leaving struct {
	mu    sync.Mutex
	lines []string
	moor  *moor
}

func (f *Leaving) Moor(at string, offered []string) error {
	f.mu.Lock()
	lines := slices.Clone(f.lines) // want `two goroutines can both read f.lines before either stores it, and one update is lost: f.mu is released in between`
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
		return errors.New("moored already")
	}
	f.lines = common
	m, err := newMoor(at)
	if err != nil {
		return err
	}
	f.moor = m
	return nil
}

func (f *Leaving) Leave() {
	f.mu.Lock()
	f.moor = nil
	f.mu.Unlock()
}

// Drifting is moored only in a storm.
type Drifting struct {
	mu    sync.Mutex
	lines []string
	moor  *moor
}

func (f *Drifting) Moor(storm bool, offered []string) error {
	f.mu.Lock()
	lines := slices.Clone(f.lines) // want `two goroutines can both read f.lines before either stores it, and one update is lost: f.mu is released in between`
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
		return errors.New("moored already")
	}
	f.lines = common
	if storm {
		f.moor = &moor{"bay"}
	}
	return nil
}

// Loading gets more lines at any time.
type Loading struct {
	mu    sync.Mutex
	lines []string
	moor  *moor
}

func (f *Loading) Moor(at string, offered []string) error {
	f.mu.Lock()
	lines := slices.Clone(f.lines) // want `two goroutines can both read f.lines before either stores it, and one update is lost: f.mu is released in between`
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
		return errors.New("moored already")
	}
	f.lines = common
	f.moor = &moor{at}
	return nil
}

func (f *Loading) Add(line string) {
	f.mu.Lock()
	f.lines = append(f.lines, line)
	f.mu.Unlock()
}
