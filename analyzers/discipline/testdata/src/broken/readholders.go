package broken

import "sync"

type slotIndex struct{ uses int }

// SlotCache adds what is missing in a function that its readers call as well.
type SlotCache struct {
	mu    sync.RWMutex
	slots map[string]*slotIndex
}

func (c *SlotCache) Count(names []string) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.sum(names)
}

func (c *SlotCache) Use(names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range names {
		c.slot(name).uses++
	}
}

func (c *SlotCache) sum(names []string) int { return c.each(names) }

func (c *SlotCache) each(names []string) int {
	n := 0
	for _, name := range names {
		n += c.slot(name).uses
	}
	return n
}

func (c *SlotCache) slot(name string) *slotIndex {
	x, ok := c.slots[name]
	if !ok {
		x = &slotIndex{}
		c.slots[name] = x // want `c.slots\[name\] is written here with c.mu held for reading only, which others can do at the same time, where \(\*SlotCache\).each calls c.slot`
	}
	return x
}

// HitTable counts its readers.
type HitTable struct {
	sync.RWMutex
	hits int
	rows map[string]int
}

func (t *HitTable) Row(k string) int {
	t.RLock()
	defer t.RUnlock()
	return t.find(k)
}

func (t *HitTable) Put(k string, v int) {
	t.Lock()
	defer t.Unlock()
	if t.find(k) != v {
		t.rows[k] = v
	}
}

func (t *HitTable) find(k string) int {
	t.count()
	return t.rows[k]
}

func (t *HitTable) count() {
	t.hits++ // want `t.hits is written here with t.RWMutex held for reading only`
}

// SampleList drops what is old, whoever comes.
type SampleList struct {
	mu    sync.RWMutex
	items []int
	stale bool
}

func (l *SampleList) First() int {
	l.mu.RLock()
	trimSamples(l)
	defer l.mu.RUnlock()
	return l.items[0]
}

func (l *SampleList) Push(v int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.items, l.stale = append(l.items, v), true
	trimSamples(l)
}

func trimSamples(l *SampleList) {
	switch {
	case l.stale:
		l.items = l.items[:1] // want `l.items is written here with l.mu held for reading only`
		l.stale = false
	}
}

var (
	codesMu sync.RWMutex
	codes   = map[string]int{}
)

func CodeOf(name string) int {
	codesMu.RLock()
	defer codesMu.RUnlock()
	return codeFor(name)
}

func AddCodes(names []string) {
	codesMu.Lock()
	defer codesMu.Unlock()
	for _, name := range names {
		codeFor(name)
	}
}

func codeFor(name string) int {
	if _, ok := codes[name]; !ok {
		codes[name] = len(codes) // want `codes\[name\] is written here with codesMu held for reading only`
	}
	return codes[name]
}
