package fine

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

// Circuit is wired once; who has found it wired knows its side and its speeds as they stay.
type Circuit struct {
	Speeds []int

	mu    sync.Mutex
	line  *wire
	relay *wire
	side  string
	ready bool
}

func (c *Circuit) Wire(to string, answers bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.line != nil {
		return errors.New("wired already")
	}
	c.Speeds = append([]int(nil), len(to))
	var line *wire
	var err error
	if answers {
		line, err = dialWire(to)
	} else {
		line, err = dialWire("from " + to)
	}
	if err != nil {
		return err
	}
	c.line = line
	if c.side = "left"; answers {
		c.side = "right"
	}
	c.relay, err = dialWire("relay")
	return err
}

// Check sees the relay, which is never there without the line.
func (c *Circuit) Check() (bool, error) {
	c.mu.Lock()
	relay := c.relay
	c.mu.Unlock()
	if relay == nil {
		return false, errors.New("not wired")
	}
	up := relay.ping()
	if c.side == "right" {
		up = !up
	}
	c.mu.Lock()
	c.ready = true
	c.mu.Unlock()
	return up, nil
}

func (c *Circuit) Side() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.side
}

func (c *Circuit) Fastest() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Speeds[0]
}

// Read goes on only where the circuit is ready, which it is not before it is wired.
func (c *Circuit) Read(buf []byte) (int, error) {
	if len(buf) == 0 {
		return 0, errors.New("no room")
	}
	c.mu.Lock()
	ready := c.ready
	c.mu.Unlock()
	if !ready {
		return 0, errors.New("not ready")
	}
	return copy(buf, "data"), nil
}

// CircuitReader reads from a circuit.
type CircuitReader struct {
	circuit *Circuit

	nmu sync.Mutex
	n   int
}

func (r *CircuitReader) Read(buf []byte) (int, error) {
	n, err := r.circuit.Read(buf)
	if err != nil || n == 0 {
		return n, err
	}
	r.nmu.Lock()
	defer r.nmu.Unlock()
	for _, speed := range r.circuit.Speeds {
		r.n += speed
	}
	return n, nil
}
