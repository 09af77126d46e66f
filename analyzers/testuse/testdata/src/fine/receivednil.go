package fine

import (
	"errors"
	"sync"
)

var errNoCab = errors.New("no cab")

type cab struct{ plate string }

func (c *cab) Drive() string {
	if c == nil {
		return ""
	}
	return c.plate
}

func (c *cab) Park() string { return c.plate }

// CabRank looks whether there is a cab.
type CabRank struct{ free chan *cab }

func (r *CabRank) Take() (string, error) {
	c := <-r.free
	if c == nil {
		return "", errNoCab
	}
	return c.Park(), nil
}

func (r *CabRank) TakeIf() (string, error) {
	c, ok := <-r.free
	if !ok {
		return "", errNoCab
	}
	return c.Park(), nil
}

// Any calls a method that can do without a cab.
func (r *CabRank) Any() string {
	c := <-r.free
	return c.Drive()
}

func (r *CabRank) Close() { close(r.free) }

// CabDepot takes a lock around both.
type CabDepot struct {
	mu   sync.Mutex
	over bool
	free chan *cab
}

func (d *CabDepot) Take() (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over {
		return "", errNoCab
	}
	select {
	case c := <-d.free:
		return c.Park(), nil
	default:
		return "", errNoCab
	}
}

func (d *CabDepot) Put(c *cab) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over {
		return
	}
	select {
	case d.free <- c:
	default:
	}
}

func (d *CabDepot) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.over {
		d.over = true
		close(d.free)
	}
}

// CabStand is never closed.
type CabStand struct{ free chan *cab }

func (s *CabStand) Take() string {
	c := <-s.free
	return c.Park()
}

func (s *CabStand) Put(c *cab) { s.free <- c }
