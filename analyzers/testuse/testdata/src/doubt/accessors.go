package doubt

import (
	"regexp"
	"sync"
	"sync/atomic"
)

// table is the package's own: it knows who comes to the test and the act.
type table struct {
	mu    sync.Mutex
	live  bool
	lines map[string]*line
	spare []int
}

type line struct{ n int }

func (t *table) isLive() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.live
}

func (t *table) setLive(to bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.live = to
}

// Table is one that others have.
type Table struct {
	inner *table

	mu    sync.Mutex
	live  bool
	lines map[string]*line
	spare []int
	next  []int
}

func (t *Table) Open(spare []int) {
	if !t.inner.isLive() { // want `t.inner.live .* \(doubtful: the package knows who uses the methods of a type of its own\)`
		t.inner.setLive(true)
		t.Refill()
	}
}

func (t *Table) isLive() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.live
}

func (t *Table) setLive(to bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.live = to
}

func (t *Table) Start() {
	if !t.isLive() { // want `both pass the test of t.live \(in t.isLive\) and both set it: t.mu is released in between$`
		t.setLive(true)
		t.Refill()
	}
}

// Refill may be called by anybody, however much there is.
func (t *Table) Refill() {
	fresh := draw()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spare = fresh
	t.next = fresh[1:]
}

func draw() []int { return make([]int, 8) }

func (t *Table) empty() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.spare) == 0
}

func (t *Table) Ensure() {
	if t.empty() { // want `t.spare .* \(doubtful: what it calls then may be called at any time\)`
		t.Refill()
	}
}

func (t *Table) find(name string) (*line, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l, ok := t.lines[name]
	return l, ok
}

func (t *Table) remove(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.lines, name)
}

func (t *Table) Put(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines[name] = &line{}
}

// To remove what is gone is to remove it once.
func (t *Table) Remove(name string) {
	if _, ok := t.find(name); !ok { // want `t.lines .* \(doubtful: to do it twice is to do it once\)`
		return
	}
	t.remove(name)
}

// Two can take the same line.
func (t *Table) Take(name string) *line {
	l, ok := t.find(name) // want `both pass the test of t.lines \(in t.find\) and both delete it: t.mu is released in between$`
	if !ok {
		return nil
	}
	t.remove(name)
	return l
}

// A compiled expression is as good as another.
var (
	patternsMu sync.RWMutex
	patterns   = map[string]*regexp.Regexp{}
)

func Pattern(s string) (*regexp.Regexp, error) {
	patternsMu.RLock()
	re := patterns[s] // want `patterns\[s\] .* \(doubtful: to do it twice is to do it once\)`
	patternsMu.RUnlock()
	if re != nil {
		return re, nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return nil, err
	}
	patternsMu.Lock()
	patterns[s] = re
	patternsMu.Unlock()
	return re, nil
}

// Meter counts its attempts in one goroutine, for others to see.
type Meter struct {
	attempts atomic.Int64
	again    chan int
}

func NewMeter() *Meter {
	m := &Meter{again: make(chan int)}
	go m.run()
	return m
}

func (m *Meter) run() {
	for range m.again {
		if m.attempts.Load() < 8 { // want `m.attempts .* \(doubtful: one goroutine alone comes here\)`
			m.attempts.Add(1)
		}
	}
}

func (m *Meter) Reset() { m.attempts.Store(0) }

// Ring is not safe for concurrent use: its callers have a lock.
type Ring struct {
	read, write atomic.Int64
}

func (r *Ring) Push() bool {
	if r.write.Load() >= 8 {
		return false
	}
	r.write.Add(1)
	return true
}

// shard is the package's own, and yet its exported methods are for anybody.
type shard struct {
	mu    sync.RWMutex
	items map[string]int
	size  int
}

type Cache struct{ shards []*shard }

func (c *Cache) Add(key string, n int) { c.shards[n].Add(key, n) }

func (s *shard) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.items)
}

func (s *shard) Evict() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.items {
		delete(s.items, key)
		return
	}
}

func (s *shard) Add(key string, n int) {
	if s.Len() >= s.size { // want `both pass the test of s.items \(in s.Len\) and both delete it: s.mu is .*`
		s.Evict()
	}
	s.mu.Lock()
	s.items[key] = n
	s.mu.Unlock()
}

// Stamp says when something was used; its atomic tells what it can bear, not who has it.
type Stamp struct{ used atomic.Int64 }

func (s *Stamp) Used() int64   { return s.used.Load() }
func (s *Stamp) Touch(n int64) { s.used.Store(n) }

type holder interface{ stamp() *Stamp }

// Refresh is given one that its caller may have for itself.
func Refresh(h holder, now int64) {
	s := h.stamp()
	if s.Used() < now { // want `s.used .* \(doubtful: the object is not sure to be shared\)`
		s.Touch(now)
		draw()
	}
}

var latest Stamp

// RefreshLatest is for everybody.
func RefreshLatest(now int64) {
	if latest.Used() < now { // want `both pass the test of latest.used \(in latest.Used\) and both set it: two atomic operations are not one$`
		latest.Touch(now)
		draw()
	}
}

// Book has a Table.
type Book struct{ t *Table }

// Begin can be called by several goroutines.
func (b *Book) Begin() {
	if !b.t.isLive() { // want `both pass the test of b.t.live \(in b.t.isLive\) and both set it: b.t.mu is released in between$`
		b.t.setLive(true)
		b.t.Refill()
	}
}

// Again must not be called from multiple goroutines.
func (b *Book) Again() {
	if !b.t.isLive() { // want `b.t.live .* \(doubtful: a comment says that it is known\)`
		b.t.setLive(true)
		b.t.Refill()
	}
}
