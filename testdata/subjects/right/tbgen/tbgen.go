// Package tbgen sets a price only if nobody has set another one since it was looked at.
package tbgen

import (
	"errors"
	"sync"
)

type price struct {
	cents   int
	version int
}

// Prices have versions.
type Prices struct {
	mu  sync.Mutex
	all map[string]*price
}

// New makes an empty list.
func New() *Prices { return &Prices{all: map[string]*price{}} }

// Get returns the price and its version.
func (p *Prices) Get(name string) (int, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.all[name]; ok {
		return e.cents, e.version
	}
	return 0, 0
}

// Put stores the price if the version is that which was seen.
func (p *Prices) Put(name string, cents, seen int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.all[name]
	if !ok {
		p.all[name] = &price{cents, 1}
		return nil
	}
	if !same(e.version, seen) || e.cents == cents {
		return errors.New("tbgen: changed meanwhile")
	}
	e.cents = cents
	e.version++
	return nil
}

func same(a, b int) bool { return a == b }

// Raise raises the price if it is low.
func (p *Prices) Raise(name string) error {
	for range 3 {
		cents, seen := p.Get(name)
		if cents >= 100 {
			return nil
		}
		if p.Put(name, 100, seen) == nil {
			return nil
		}
	}
	return errors.New("tbgen: busy")
}
