package broken

import (
	"errors"
	"sync/atomic"
)

var errTooMany = errors.New("too many")

// Cask is drawn from by many.
type Cask struct {
	litres atomic.Int64
	last   atomic.Uint64
	guests atomic.Int32
	most   int32
}

// Draw throws away what is filled in between.
func (c *Cask) Draw(n int64) error {
	if left := c.litres.Add(-n); left < 0 { // want `c.litres is set back here to what it was`
		c.litres.Store(0)
		return errTooMany
	}
	return nil
}

func (c *Cask) Fill(n int64) { c.litres.Add(n) }

// Number gives numbers back that others have gone past.
func (c *Cask) Number(n uint64, note func(uint64) error) (uint64, error) {
	end := c.last.Add(n) // want `c.last is set back here to what it was`
	first := end - n + 1
	if err := note(end); err != nil {
		c.last.Store(first - 1)
		return 0, err
	}
	return first, nil
}

// Enter forgets those who leave in between.
func (c *Cask) Enter() error {
	n := c.guests.Add(1) // want `c.guests is set back here to what it was`
	if n > c.most {
		c.guests.Store(c.most)
		return errTooMany
	}
	return nil
}

func (c *Cask) Leave() { c.guests.Add(-1) }
