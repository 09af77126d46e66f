package channels

import (
	"errors"
	"log"
)

// Ferry takes cars on board. What it looks at has a name that is asked later.
type Ferry struct{ deck chan string }

func NewFerry() *Ferry { return &Ferry{deck: make(chan string, 3)} }

// Embark lets cars on board.
func Embark(f *Ferry, s *Skiff, cars []string) {
	for _, car := range cars {
		go f.Board(car)
		go s.Board(car)
	}
}

func (f *Ferry) Board(car string) error {
	room := len(f.deck) < cap(f.deck) // want `another goroutine can use f.deck after its length was looked at`
	log.Print("asked")
	if !room {
		return errors.New("full")
	}
	f.deck <- car
	return nil
}

// Skiff is asked by a switch.
type Skiff struct{ deck chan string }

func NewSkiff() *Skiff { return &Skiff{deck: make(chan string, 3)} }

func (s *Skiff) Board(car string) {
	full := len(s.deck) == cap(s.deck) // want `another goroutine can use s.deck after its length was looked at`
	switch {
	case full:
		return
	}
	s.deck <- car
}
