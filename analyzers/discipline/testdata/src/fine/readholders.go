package fine

import "sync"

type slotEntry struct{ uses int }

// SlotBook is told whether to add what is missing.
type SlotBook struct {
	mu    sync.RWMutex
	slots map[string]*slotEntry
}

func (b *SlotBook) Uses(name string) int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if e := b.slot(name, false); e != nil {
		return e.uses
	}
	return 0
}

func (b *SlotBook) Use(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slot(name, true).uses++
}

func (b *SlotBook) slot(name string, add bool) *slotEntry {
	e := b.slots[name]
	if e == nil && add {
		e = &slotEntry{}
		b.slots[name] = e
	}
	return e
}

// SeenSlots asks for what it knows to be there.
type SeenSlots struct {
	mu    sync.RWMutex
	slots map[string]*slotEntry
}

func (c *SeenSlots) Uses(name string) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if _, ok := c.slots[name]; !ok {
		return 0
	}
	return c.slot(name).uses
}

func (c *SeenSlots) Use(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slot(name).uses++
}

func (c *SeenSlots) slot(name string) *slotEntry {
	e, ok := c.slots[name]
	if !ok {
		e = &slotEntry{}
		c.slots[name] = e
	}
	return e
}

// MemoTable has a lock of its own for what readers add.
type MemoTable struct {
	mu   sync.RWMutex
	own  sync.Mutex
	memo map[string]int
	rows []string
}

func (t *MemoTable) Row(k string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.find(k)
}

func (t *MemoTable) Add(k string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = append(t.rows, k)
	return t.find(k)
}

func (t *MemoTable) find(k string) int {
	t.own.Lock()
	defer t.own.Unlock()
	n, ok := t.memo[k]
	if !ok {
		n = len(t.rows)
		t.memo[k] = n
	}
	return n
}

// LevelSet is written by those alone who hold its lock for writing.
type LevelSet struct {
	mu    sync.RWMutex
	busy  sync.Mutex
	level map[string]int
}

func (s *LevelSet) Level(k string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.level[k]
}

func (s *LevelSet) Raise(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raise(k)
}

func (s *LevelSet) Lower(k string) {
	s.mu.Lock()
	s.raise(k)
	s.mu.Unlock()
}

func (s *LevelSet) raise(k string) { s.level[k]++ }

// OneAtATime holds another lock beside the one that it holds for reading.
type OneAtATime struct {
	mu   sync.RWMutex
	busy sync.Mutex
	n    map[string]int
}

func (s *OneAtATime) Read(k string) {
	s.busy.Lock()
	defer s.busy.Unlock()
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.add(k)
}

func (s *OneAtATime) Write(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(k)
}

func (s *OneAtATime) add(k string) { s.n[k]++ }

// VerbSet takes its lock as the verb wants it.
type VerbSet struct {
	mu    sync.RWMutex
	terms map[string]int
	log   []string
}

func (s *VerbSet) Run(verb, term string) int {
	writes := false
	switch verb {
	case "put":
		writes = true
		s.mu.Lock()
		defer s.mu.Unlock()
	case "get":
		s.mu.RLock()
		defer s.mu.RUnlock()
	default:
		return 0
	}
	n := func() int { return s.do(verb, term) }()
	if writes {
		s.note(term)
	}
	return n
}

func (s *VerbSet) Reset(term string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.do("put", term)
	s.note(term)
}

func (s *VerbSet) do(verb, term string) int {
	if verb == "put" {
		s.terms[term]++
	}
	return s.terms[term]
}

func (s *VerbSet) note(term string) { s.log = append(s.log, term) }
