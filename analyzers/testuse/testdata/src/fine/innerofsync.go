package fine

import (
	"maps"
	"sync"
)

// Calendar stores another map for each change.
type Calendar struct {
	mu    sync.Mutex
	years sync.Map
}

func (c *Calendar) Note(year int, day, what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	days := map[string]string{}
	if v, ok := c.years.Load(year); ok {
		days = maps.Clone(v.(map[string]string))
	}
	days[day] = what
	c.years.Store(year, days)
}

func (c *Calendar) On(year int, day string) string {
	v, ok := c.years.Load(year)
	if !ok {
		return ""
	}
	return v.(map[string]string)[day]
}

// Ledgers takes its lock on both ways.
type Ledgers struct {
	mu    sync.Mutex
	names sync.Map
}

func (l *Ledgers) Enter(house, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v, _ := l.names.LoadOrStore(house, map[string]bool{})
	v.(map[string]bool)[name] = true
}

func (l *Ledgers) Has(house, name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	v, ok := l.names.Load(house)
	return ok && v.(map[string]bool)[name]
}

// Indices has maps that are filled before they are stored.
type Indices struct{ of sync.Map }

func (x *Indices) Add(name string, words []string) {
	index := map[string]int{}
	for i, w := range words {
		index[w] = i
	}
	x.of.Store(name, index)
}

func (x *Indices) At(name, word string) int {
	v, ok := x.of.Load(name)
	if !ok {
		return -1
	}
	return v.(map[string]int)[word]
}
