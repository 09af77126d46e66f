package fine

import (
	"log"
	"sync"
)

type gauge struct {
	mu     sync.Mutex
	hits   int
	misses int
	from   string
	to     string
	owner  string
	open   bool
}

func (g *gauge) Hits() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.hits
}

func (g *gauge) Misses() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.misses
}

func (g *gauge) Hit() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hits++
	g.misses--
}

func (g *gauge) From() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.from
}

func (g *gauge) To() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.to
}

func (g *gauge) Owner() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.owner
}

func (g *gauge) Both() (string, string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.from, g.to
}

func (g *gauge) Turn(from, to string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.from, g.to = from, to
	g.owner = from
}

func (g *gauge) Clear() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.from = ""
	g.owner = ""
	g.open = false
}

func (g *gauge) Point(to string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.to = to
}

type Board struct {
	gauge gauge
	show  func(a, b string)
	count func(a, b int)
}

func (b *Board) Turn(from, to string) { b.gauge.Turn(from, to) }

func (b *Board) Hit() { b.gauge.Hit() }

// Count shows numbers that only ever are counted up and down.
func (b *Board) Count() { b.count(b.gauge.Hits(), b.gauge.Misses()) }

// Log tells people.
func (b *Board) Log() { log.Println(b.gauge.From(), b.gauge.Owner()) }

// Show takes two that are changed singly as well.
func (b *Board) Show() { b.show(b.gauge.From(), b.gauge.To()) }

// Together asks once.
func (b *Board) Together() {
	from, to := b.gauge.Both()
	b.show(from, to)
}

// Singly hands them on one by one.
func (b *Board) Singly() {
	b.show(b.gauge.From(), "")
	b.show(b.gauge.Owner(), "")
}

// local has a gauge that nobody else has.
func local(show func(a, b string)) {
	g := &gauge{}
	g.Turn("a", "b")
	show(g.From(), g.Owner())
}

// Terms has an index that others change alone.
type Terms struct {
	mu    sync.Mutex
	count map[string]int
	first map[string]string
}

func (t *Terms) Add(term, at string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count[term] = 1
	t.first[term] = at
}

func (t *Terms) Remove(term string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.count, term)
	delete(t.first, term)
}

func (t *Terms) Forget(term string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.first, term)
}

func (t *Terms) Load(term, at string, read func()) {
	t.mu.Lock()
	t.count[term] = 2
	t.mu.Unlock()
	read()
	t.mu.Lock()
	t.first[term] = at
	t.mu.Unlock()
}
