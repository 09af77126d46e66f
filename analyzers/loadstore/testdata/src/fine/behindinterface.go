package fine

import "sync"

// scores has two implementations, of which one does it by itself.
type scores interface {
	Get(k string) int
	Put(k string, v int)
	Add(k string, n int) int
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

func (m *kept) Add(k string, n int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.m[k] += n
	return m.m[k]
}

type Scoring struct{ by scores }

func NewScoring() *Scoring { return &Scoring{by: &kept{m: map[string]int{}}} }

func (c *Scoring) Hit(k string) int { return c.by.Add(k, 1) }

func (c *Scoring) Show(k string) int { return c.by.Get(k) }

// A Backlog is taken as a whole.
type Backlog struct {
	mu   sync.Mutex
	list []string
}

func (b *Backlog) Add(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = append(b.list, s)
}

func (b *Backlog) take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.list
	b.list = nil
	return list
}

func (b *Backlog) size() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.list)
}

func (b *Backlog) Flush(f func(string)) int {
	n := b.size()
	for _, s := range b.take() {
		f(s)
	}
	return n
}
