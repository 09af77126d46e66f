package broken

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

// Lightship is started, by whoever likes to.
type Lightship struct {
	mu     sync.Mutex
	beacon *beacon
}

func (l *Lightship) Start(name string) error {
	l.mu.Lock()
	if l.beacon != nil { // want `two goroutines can both pass the test of l.beacon and both set it: l.mu is released in between`
		l.mu.Unlock()
		return errors.New("started already")
	}
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

func (l *Lightship) Beacon() *beacon {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.beacon
}

// Turret is initialised by whoever comes first: it does not mind a second one.
type Turret struct {
	mu     sync.Mutex
	beacon *beacon
}

func (l *Turret) Init(name string) error {
	l.mu.Lock()
	if l.beacon != nil { // want `two goroutines can both pass the test of l.beacon and both set it: l.mu is released in between`
		l.mu.Unlock()
		return nil
	}
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

func (l *Turret) Beacon() *beacon {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.beacon
}

// Mast is set up when it is used.
type Mast struct {
	mu     sync.Mutex
	beacon *beacon
	name   string
}

func (m *Mast) setup(name string) error {
	m.mu.Lock()
	if m.beacon != nil { // want `two goroutines can both pass the test of m.beacon and both set it: m.mu is released in between`
		m.mu.Unlock()
		return errors.New("set up already")
	}
	m.mu.Unlock()
	made, err := raiseBeacon(name)
	if err != nil {
		return err
	}
	m.mu.Lock()
	m.beacon = made
	m.mu.Unlock()
	return nil
}

func (m *Mast) Signal() error {
	if err := m.setup(m.name); err != nil {
		return err
	}
	return nil
}

func (m *Mast) Beacon() *beacon {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.beacon
}

// Pier shows the mast that it makes before it is set up.
type Pier struct {
	mu    sync.Mutex
	masts []*Pole
}

// Pole is a mast.
type Pole struct {
	mu     sync.Mutex
	beacon *beacon
}

func (p *Pole) Setup(name string) error {
	p.mu.Lock()
	if p.beacon != nil { // want `two goroutines can both pass the test of p.beacon and both set it: p.mu is released in between`
		p.mu.Unlock()
		return errors.New("set up already")
	}
	p.mu.Unlock()
	made, err := raiseBeacon(name)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.beacon = made
	p.mu.Unlock()
	return nil
}

func (p *Pole) Beacon() *beacon {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.beacon
}

func (p *Pier) Add(name string) error {
	mast := &Pole{}
	p.mu.Lock()
	p.masts = append(p.masts, mast)
	p.mu.Unlock()
	return mast.Setup(name)
}

func (p *Pier) Pole(i int) *Pole {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.masts[i]
}
