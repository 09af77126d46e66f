package fine

import (
	"fmt"
	"io"
	"maps"
	"sync"
)

// A Herald shares the lock with what is derived from it.
type Herald struct {
	mu     *sync.Mutex
	out    io.Writer
	prefix string
}

func NewHerald(out io.Writer) *Herald { return &Herald{mu: &sync.Mutex{}, out: out} }

func (t *Herald) Named(name string) *Herald {
	c := *t
	c.prefix = name + ": "
	return &c
}

// To has a lock for the writer that is its own.
func (t *Herald) To(out io.Writer) *Herald {
	c := *t
	c.mu = &sync.Mutex{}
	c.out = out
	return &c
}

func (t *Herald) Tell(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintln(t.out, t.prefix, text)
}

// FeeList replace their map as a whole.
type FeeList struct {
	mu     sync.RWMutex
	prices map[string]int
	in     string
}

func (t *FeeList) In(currency string) *FeeList {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return &FeeList{prices: t.prices, in: currency}
}

func (t *FeeList) Raise(name string, by int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	prices := maps.Clone(t.prices)
	prices[name] += by
	t.prices = prices
}

func (t *FeeList) Price(name string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.prices[name]
}
