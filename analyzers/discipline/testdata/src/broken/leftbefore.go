package broken

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

// Ferry leaves the state in which the course is set only when it has looked at it.
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
	if f.phase != ferryMoored {
		f.mu.Unlock()
		return 0, errors.New("not moored")
	}
	f.mu.Unlock()
	n := f.course[port] // want `f.course is accessed here without the lock that all other functions hold for it: f.mu in \(\*Ferry\).SetCourse`
	f.mu.Lock()
	f.phase = ferryAfloat
	f.mu.Unlock()
	return n, nil
}

func (f *Ferry) Course(port string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.course[port]
}

// Barge is moored again.
type Barge struct {
	mu     sync.Mutex
	phase  ferryPhase
	course map[string]int
	trips  int
}

func (b *Barge) SetCourse(c map[string]int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.phase == ferryMoored {
		b.course = c
	}
	b.trips++
}

func (b *Barge) Reset(port string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.phase == ferryMoored {
		b.course = map[string]int{port: 1}
	}
	b.trips++
}

func (b *Barge) Sail(port string) int {
	b.mu.Lock()
	b.phase = ferryAfloat
	b.mu.Unlock()
	return b.course[port] // want `b.course is accessed here without the lock that all other functions hold for it: b.mu in \(\*Barge\).SetCourse`
}

func (b *Barge) Moor() {
	b.mu.Lock()
	b.phase = ferryMoored
	b.mu.Unlock()
}

func (b *Barge) Course(port string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.course[port]
}

// Almanac says that it is filled before it is.
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
	a.filled.Store(true)
	a.sky = s
	return nil
}

func (a *Almanac) Stars() int {
	if !a.filled.Load() {
		return 0
	}
	if a.sky == nil { // want `a.sky is tested here without a.mu, which all functions hold that write it, as \(\*Almanac\).Fill does`
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

// Calendar can be ended by those who do not hold the lock, while another one fills it.
type Calendar struct {
	mu     sync.Mutex
	closed atomic.Bool
	sky    *sky
	asked  int
}

func (c *Calendar) Fill(s *sky) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed.Load() {
		return errors.New("closed")
	}
	c.sky = s
	return nil
}

func (c *Calendar) Close() { c.closed.Store(true) }

func (c *Calendar) Stars() int {
	if !c.closed.Load() {
		return 0
	}
	if c.sky == nil { // want `c.sky is tested here without c.mu, which all functions hold that write it, as \(\*Calendar\).Fill does`
		return 0
	}
	return c.sky.stars
}

func (c *Calendar) Asked() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	if c.sky == nil {
		return 0
	}
	return c.asked
}

// Atlas looks whether it is filled for some pages only.
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
	if page < 0 && !a.filled.Load() {
		return 0
	}
	if a.sky == nil { // want `a.sky is tested here without a.mu, which all functions hold that write it, as \(\*Atlas\).Fill does`
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
