package fine

import (
	"errors"
	"sync"
	"time"
)

var errKnownBad = errors.New("known to be bad")

// Checker remembers which codes are no good.
type Checker struct {
	bad   sync.Map // code -> when
	check func(code string) error
}

// Check answers the same whether the code was known to be bad or is found so.
func (c *Checker) Check(code string) error {
	if _, ok := c.bad.Load(code); ok {
		return errKnownBad
	}
	err := c.check(code)
	if err != nil {
		c.bad.Store(code, time.Now())
	}
	return err
}

// Recheck answers with what the second check has said.
func (c *Checker) Recheck(code string) error {
	if _, ok := c.bad.Load(code); ok {
		return errKnownBad
	}
	err := c.check(code)
	if err == nil {
		c.bad.Store(code, time.Now())
		err = c.check(code + code)
	}
	return err
}
