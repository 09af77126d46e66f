package broken

import (
	"fmt"
	"io"
	"sync"
)

// A Herald writes lines for itself and for those who are derived from it.
type Herald struct {
	mu     *sync.Mutex
	out    io.Writer
	prefix string
	pieces []byte
}

func NewHerald(out io.Writer) *Herald { return &Herald{mu: &sync.Mutex{}, out: out} }

func (t *Herald) Named(name string) *Herald {
	c := *t // want `the copy gets a mu of its own here and shares out with t: \(\*Herald\).Tell writes to it under that lock, which does not keep those out who have the other object`
	c.mu = &sync.Mutex{}
	c.prefix = name + ": "
	c.pieces = nil
	return &c
}

func (t *Herald) Tell(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pieces = append(t.pieces[:0], t.prefix...)
	t.pieces = append(t.pieces, text...)
	fmt.Fprintln(t.out, string(t.pieces))
}

// FeeList are prices by name, for one currency.
type FeeList struct {
	mu     sync.RWMutex
	prices map[string]int
	in     string
}

func (t *FeeList) In(currency string) *FeeList {
	return &FeeList{prices: t.prices, in: currency} // want `the copy gets a mu of its own here and shares prices with t: \(\*FeeList\).Raise changes it under that lock`
}

func (t *FeeList) Raise(name string, by int) {
	t.mu.Lock()
	t.prices[name] += by
	t.mu.Unlock()
}

func (t *FeeList) Price(name string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.prices[name]
}
