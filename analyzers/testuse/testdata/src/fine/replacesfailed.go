package fine

import (
	"errors"
	"sync"
)

type cable interface{ Write(string) error }

// Messenger replaces the cable only if it still is the one that has failed.
type Messenger struct {
	mu    sync.RWMutex
	cable cable
	open  func() (cable, error)
}

func (m *Messenger) reopen(failed cable) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cable != failed {
		return nil
	}
	c, err := m.open()
	if err != nil {
		return err
	}
	m.cable = c
	return nil
}

func (m *Messenger) Send(text string) error {
	for range 3 {
		m.mu.RLock()
		c := m.cable
		m.mu.RUnlock()
		if c == nil {
			return errors.New("no cable")
		}
		err := c.Write(text)
		if err == nil {
			return nil
		}
		if err := m.reopen(c); err != nil {
			return err
		}
	}
	return errors.New("given up")
}

// priceUntil is a number alone.
type priceUntil struct {
	price float64
	name  string
}

// Prices keeps what anybody finds out alike.
type Prices struct {
	mu  sync.Mutex
	by  map[string]priceUntil
	ask func(string) float64
}

func (p *Prices) Get(name string) float64 {
	p.mu.Lock()
	u, ok := p.by[name]
	p.mu.Unlock()
	if ok {
		return u.price
	}
	u = priceUntil{price: p.ask(name), name: name}
	p.mu.Lock()
	p.by[name] = u
	p.mu.Unlock()
	return u.price
}
