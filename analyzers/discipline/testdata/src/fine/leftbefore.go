package fine

import (
	"errors"
	"sync"
	"sync/atomic"
)

type ferryPhase int

const (
	ferryMoored ferryPhase = iota
	ferryAfloat
	ferrySunk
)

// Ferry takes its course while it is moored; Sail has left that state before it looks.
type Ferry struct {
	mu     sync.Mutex
	phase  ferryPhase
	course map[string]int
	trips  int
}

func (f *Ferry) SetCourse(c map[string]int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.phase == ferryMoored {
		f.course = c
	}
	f.trips++
}

func (f *Ferry) Reset(port string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.phase == ferryMoored {
		f.course = map[string]int{port: 1}
	}
	f.trips++
}

func (f *Ferry) Sail(port string) (int, error) {
	f.mu.Lock()
	switch f.phase {
	case ferrySunk:
		f.mu.Unlock()
		return 0, errors.New("sunk")
	case ferryMoored:
		f.phase = ferryAfloat
		f.mu.Unlock()
		return f.course[port], nil
	}
	f.mu.Unlock()
	return 0, errors.New("afloat")
}

func (f *Ferry) Sink() {
	f.mu.Lock()
	f.phase = ferrySunk
	f.mu.Unlock()
}

func (f *Ferry) Course(port string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.course[port]
}

// Almanac is filled once, and says so when that is done.
type Almanac struct {
	mu     sync.Mutex
	filled atomic.Bool
	sky    *sky
	asked  int
}

type sky struct{ stars int }

func (a *Almanac) Fill(s *sky) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.filled.Load() {
		return errors.New("filled already")
	}
	a.sky = s
	a.filled.Store(true)
	return nil
}

func (a *Almanac) Stars() int {
	if !a.filled.Load() {
		return 0
	}
	if a.sky == nil {
		return 0
	}
	return a.sky.stars
}

func (a *Almanac) Asked() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked++
	if a.sky == nil {
		return 0
	}
	return a.asked
}

// Atlas is asked for a page.
type Atlas struct {
	mu     sync.Mutex
	filled atomic.Bool
	sky    *sky
	asked  int
}

func (a *Atlas) Fill(s *sky) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s == nil || a.filled.Load() {
		return errors.New("filled already")
	}
	a.sky = s
	a.filled.Store(true)
	return nil
}

func (a *Atlas) Stars(page int) int {
	if page < 0 || !a.filled.Load() {
		return 0
	}
	if a.sky == nil {
		return 0
	}
	return a.sky.stars
}

func (a *Atlas) Asked() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked++
	if a.sky == nil {
		return 0
	}
	return a.asked
}
