package broken

import "sync"

// scores has one implementation.
type scores interface {
	Get(k string) int
	Put(k string, v int)
}

type kept struct {
	mu sync.RWMutex
	m  map[string]int
}

func (m *kept) Get(k string) int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.m[k]
}

func (m *kept) Put(k string, v int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.m[k] = v
}

type Scoring struct{ by scores }

func NewScoring() *Scoring { return &Scoring{by: &kept{m: map[string]int{}}} }

func (c *Scoring) Hit(k string) int {
	v := c.by.Get(k) // want `two goroutines can both read c.by.m \(in c.by.Get\) before either stores it, and one update is lost: c.by.mu is held for reading first`
	v++
	c.by.Put(k, v)
	return v
}

// A Backlog is worked off from a copy, and emptied afterwards.
type Backlog struct {
	mu   sync.Mutex
	list []string
}

func (b *Backlog) Add(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = append(b.list, s)
}

func (b *Backlog) items() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.list...)
}

func (b *Backlog) clear() {
	b.mu.Lock()
	b.list = nil
	b.mu.Unlock()
}

func (b *Backlog) Flush(f func(string)) {
	for _, s := range b.items() { // want `two goroutines can both read b.list \(in b.items\) before either stores it, and one update is lost: b.mu is released in between`
		f(s)
	}
	b.clear()
}
