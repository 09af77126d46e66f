package fine

import (
	"errors"
	"sync"
)

// Cableway carries skiers; nobody closes its gate while some of them pass it.
type Cableway struct {
	mu    sync.RWMutex
	state int
	gate  chan string
	crew  []string
}

var errNoSnow = errors.New("no snow")

func (c *Cableway) hire() (string, error) { return "", nil }

func (c *Cableway) enter() error {
	if c.state == 2 {
		return errNoSnow
	}
	hand, err := c.hire()
	if err != nil {
		return err
	}
	c.crew = append(c.crew, hand)
	c.state = 1
	return nil
}

// Ride holds the lock from the look to the send.
func (c *Cableway) Ride(skier string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.enter(); err != nil {
		return err
	}
	c.gate <- skier
	return nil
}

// Close ends the season.
func (c *Cableway) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == 2 {
		return
	}
	c.state = 2
	close(c.gate)
}

// Sledges are given out until the hut is shut, whose hatch is never closed.
type Sledges struct {
	mu    sync.RWMutex
	shut  bool
	hatch chan string
}

func (s *Sledges) ask() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.shut {
		return errNoSnow
	}
	return nil
}

// Take takes one.
func (s *Sledges) Take(name string) error {
	if err := s.ask(); err != nil {
		return err
	}
	s.hatch <- name
	return nil
}

// Shut is for the night.
func (s *Sledges) Shut() {
	s.mu.Lock()
	s.shut = true
	s.mu.Unlock()
}
