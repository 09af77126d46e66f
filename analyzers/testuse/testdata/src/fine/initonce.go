package fine

import (
	"errors"
	"sync"
)

type beacon struct {
	mu   sync.Mutex
	lit  int
	name string
}

func raiseBeacon(name string) (*beacon, error) {
	if name == "" {
		return nil, errors.New("no name")
	}
	return &beacon{name: name}, nil
}

// Skerry is initialised by who makes it.
type Skerry struct {
	mu     sync.Mutex
	beacon *beacon
	name   string
}

func (l *Skerry) Init(name string) error {
	l.mu.Lock()
	if l.beacon != nil {
		l.mu.Unlock()
		return errors.New("initialised already")
	}
	l.name = name
	l.mu.Unlock()
	b, err := raiseBeacon(name)
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.beacon = b
	l.mu.Unlock()
	return nil
}

func (l *Skerry) Beacon() *beacon {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.beacon
}

// Buoy is a part of a chain.
type Buoy struct {
	mu     sync.Mutex
	beacon *beacon
	name   string
}

func (b *Buoy) Setup(name string) error {
	b.mu.Lock()
	if b.beacon != nil {
		b.mu.Unlock()
		return errors.New("set up already")
	}
	b.mu.Unlock()
	made, err := raiseBeacon(name)
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.beacon = made
	b.mu.Unlock()
	return nil
}

// Next is given to nobody before it is set up.
func (b *Buoy) Next() (*Buoy, error) {
	b.mu.Lock()
	name := b.name
	b.mu.Unlock()
	next := &Buoy{name: name}
	next.name = name + "'"
	if err := next.Setup(name); err != nil {
		return nil, err
	}
	return next, nil
}

func (b *Buoy) Beacon() *beacon {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.beacon
}
