package broken

import (
	"errors"
	"sync"
	"time"
)

var errTicketUsed = errors.New("ticket used")

// Gatekeeper lets each ticket in once.
type Gatekeeper struct {
	used   sync.Map // number -> when
	verify func(number, code string) (bool, error)
}

func (g *Gatekeeper) Admit(number, code string) (bool, error) {
	if _, ok := g.used.Load(number); ok { // want `two goroutines can both pass the test of g.used\[number\] and both set it`
		return false, errTicketUsed
	}
	right, err := g.verify(number, code)
	if right && err == nil {
		g.used.Store(number, time.Now())
	}
	return right, err
}

func (g *Gatekeeper) Stamp(number, code string) error {
	if _, ok := g.used.Load(number); ok { // want `two goroutines can both pass the test of g.used\[number\] and both set it`
		return errTicketUsed
	}
	_, err := g.verify(number, code)
	if err != nil {
		return err
	}
	g.used.Store(number, time.Now())
	return err
}
