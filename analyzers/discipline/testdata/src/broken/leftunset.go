package broken

import (
	"errors"
	"sync"
)

type wire struct{ to string }

func dialWire(to string) (*wire, error) {
	if to == "" {
		return nil, errors.New("nowhere")
	}
	return &wire{to}, nil
}

func (w *wire) ping() bool { return w.to != "" }

// Rewired can be wired again: the side is no more what it was when the line was seen.
type Rewired struct {
	mu   sync.Mutex
	line *wire
	side string
}

func (c *Rewired) Wire(to string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.line != nil {
		return errors.New("wired already")
	}
	line, err := dialWire(to)
	if err != nil {
		return err
	}
	c.line, c.side = line, to
	return nil
}

func (c *Rewired) Cut() {
	c.mu.Lock()
	c.line = nil
	c.mu.Unlock()
}

func (c *Rewired) Check() bool {
	c.mu.Lock()
	line := c.line
	c.mu.Unlock()
	if line == nil {
		return false
	}
	line.ping()
	return c.side == "right" // want `c.side is read here after c.mu was released, which all functions hold that write it, as \(\*Rewired\).Wire does`
}

func (c *Rewired) Side() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.side
}

// Borrowed has a relay that can be there before the line is.
type Borrowed struct {
	mu    sync.Mutex
	line  *wire
	relay *wire
	side  string
}

func (c *Borrowed) Wire(to string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.line != nil {
		return errors.New("wired already")
	}
	line, err := dialWire(to)
	if err != nil {
		return err
	}
	c.line, c.side = line, to
	c.relay = line
	return nil
}

func (c *Borrowed) Borrow(relay *wire) {
	c.mu.Lock()
	c.relay = relay
	c.mu.Unlock()
}

func (c *Borrowed) Check() bool {
	c.mu.Lock()
	relay := c.relay
	c.mu.Unlock()
	if relay == nil {
		return false
	}
	relay.ping()
	return c.side == "right" // want `c.side is read here after c.mu was released, which all functions hold that write it, as \(\*Borrowed\).Wire does`
}

func (c *Borrowed) Side() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.side
}

// Tuned is tuned again after it is wired.
type Tuned struct {
	Speeds []int

	mu   sync.Mutex
	line *wire
}

func (c *Tuned) Wire(to string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.line != nil {
		return errors.New("wired already")
	}
	line, err := dialWire(to)
	if err != nil {
		return err
	}
	c.line = line
	c.Speeds = append([]int(nil), len(to))
	return nil
}

func (c *Tuned) Tune(speeds []int) {
	c.mu.Lock()
	c.Speeds = append([]int(nil), speeds...)
	c.mu.Unlock()
}

func (c *Tuned) Read(buf []byte) (int, error) {
	c.mu.Lock()
	line := c.line
	c.mu.Unlock()
	if line == nil {
		return 0, errors.New("not wired")
	}
	return copy(buf, line.to), nil
}

func (c *Tuned) Fastest() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Speeds[0]
}

// Hasty reads nothing well, wired or not: that says nothing of the line.
type Hasty struct {
	Speeds []int

	mu   sync.Mutex
	line *wire
}

func (c *Hasty) Wire(to string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.line != nil {
		return errors.New("wired already")
	}
	line, err := dialWire(to)
	if err != nil {
		return err
	}
	c.line = line
	c.Speeds = append([]int(nil), len(to))
	return nil
}

func (c *Hasty) Read(buf []byte) (int, error) {
	if len(buf) < 2 {
		return 1, nil
	}
	c.mu.Lock()
	line := c.line
	c.mu.Unlock()
	if line == nil {
		return 0, errors.New("not wired")
	}
	return copy(buf, line.to), nil
}

func (c *Hasty) Fastest() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Speeds[0]
}

// WireReader reads from both.
type WireReader struct {
	tuned *Tuned
	hasty *Hasty

	nmu sync.Mutex
	n   int
}

func (r *WireReader) ReadTuned(buf []byte) (int, error) {
	n, err := r.tuned.Read(buf)
	if err != nil || n == 0 {
		return n, err
	}
	r.nmu.Lock()
	defer r.nmu.Unlock()
	for _, speed := range r.tuned.Speeds { // want `r.tuned.Speeds is accessed here under r.nmu, and by all other functions under c.mu`
		r.n += speed
	}
	return n, nil
}

func (r *WireReader) ReadHasty(buf []byte) (int, error) {
	n, err := r.hasty.Read(buf)
	if err != nil || n == 0 {
		return n, err
	}
	r.nmu.Lock()
	defer r.nmu.Unlock()
	for _, speed := range r.hasty.Speeds { // want `r.hasty.Speeds is accessed here under r.nmu, and by all other functions under c.mu`
		r.n += speed
	}
	return n, nil
}
