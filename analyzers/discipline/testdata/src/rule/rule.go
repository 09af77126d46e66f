// Package rule has variables that all functions but one access under one lock.
package rule

import "sync"

type Registry struct {
	mu   sync.RWMutex
	byID map[int]string
	last int
	seen int
}

func New() *Registry {
	r := &Registry{byID: map[int]string{}}
	r.last = 1 // nobody else has it yet
	return r
}

func (r *Registry) Get(id int) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byID[id]
}

func (r *Registry) Set(id int, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byID[id] = name
	r.last = id
	r.seen++
}

func (r *Registry) Delete(id int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.locked(id)
	r.last = 0
	r.seen--
}

// locked is only called with the lock held.
func (r *Registry) locked(id int) { delete(r.byID, id) }

func (r *Registry) Names() []string {
	var names []string
	for _, n := range r.byID { // want `r.byID is accessed here without the lock that all other functions hold for it: r.mu in \(\*Registry\).Set`
		names = append(names, n)
	}
	return names
}

func (r *Registry) Touch(id int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	r.last = id // want `r.last is written here with r.mu held for reading only`
}

// Start readies the registry, before others use it.
func (r *Registry) Start() {
	r.byID = map[int]string{}
}

// Seen reads a number, which is a matter of taste.
func (r *Registry) Seen() int { return r.seen }

// Sessions have two locks, and one function that takes the wrong one.
type Sessions struct {
	mu    sync.Mutex
	other sync.Mutex
	byKey map[string]int
	done  chan struct{}
}

func (s *Sessions) Add(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byKey[k]++
}

func (s *Sessions) Remove(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byKey, k)
}

func (s *Sessions) Lookup(k string) int {
	s.other.Lock()
	defer s.other.Unlock()
	return s.byKey[k] // want `s.byKey\[k\] is accessed here without the lock`
}

// Both locks are held by everybody who writes the map: either will do to read it.
type Both struct {
	mu, other sync.Mutex
	byKey     map[string]int
}

func (b *Both) Add(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.other.Lock()
	defer b.other.Unlock()
	b.byKey[k]++
}

func (b *Both) Remove(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.other.Lock()
	defer b.other.Unlock()
	delete(b.byKey, k)
}

func (b *Both) Get(k string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.byKey[k]
}

func (b *Both) Lookup(k string) int {
	b.other.Lock()
	defer b.other.Unlock()
	return b.byKey[k]
}

// Jobs are looked at when all is over, or when the caller sees to it.
type Jobs struct {
	mu   sync.Mutex
	byID map[int]string
	done chan struct{}
}

func (j *Jobs) Add(id int, name string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.byID[id] = name
}

func (j *Jobs) Remove(id int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.byID, id)
}

// Close looks when all others are over.
func (j *Jobs) Close() int {
	<-j.done
	return len(j.byID)
}

// Dump must not be called
// concurrently with others.
type Dump struct {
	mu   sync.Mutex
	byID map[int]string
}

func (d *Dump) Add(id int, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.byID[id] = name
}

func (d *Dump) Remove(id int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.byID, id)
}

// Len is for debugging, and must not be called
// concurrent with the others.
func (d *Dump) Len() int { return len(d.byID) }

// Table is embedded: Wrapper reaches the lock by another path.
type Table struct {
	mu   sync.Mutex
	rows map[int]int
}

func (t *Table) Add(k int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows[k]++
}

func (t *Table) Remove(k int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.rows, k)
}

type Wrapper struct{ Table }

func (w *Wrapper) Move(from, to int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rows[to] = w.rows[from]
}

// Index is filled, and then looked at.
type Index struct {
	mu   sync.Mutex
	byID map[int]string
}

func (x *Index) Add(id int, name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.byID[id] = name
}

func (x *Index) Remove(id int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.byID, id)
}

// Report comes when all is filled.
func (x *Index) Report() int {
	// There is no need to protect the map.
	return len(x.byID)
}

// Peers have fields that are accessed with the lock held, but for one function,
// and functions that are called with it held, but for one call.
type Peers struct {
	mu   sync.Mutex
	list []*peer
}

type peer struct {
	score int
	calls int
}

func (p *Peers) Raise(i int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list[i].bump(p)
	p.touchLocked(i)
}

func (p *Peers) Reset(i int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, &peer{})
	p.touchLocked(i)
}

func (p *Peers) Count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.list)
}

func (p *Peers) touchLocked(i int) { p.list[i].calls++ }

func (p *Peers) Touch(i int) {
	p.touchLocked(i) // want `p.touchLocked is called here without a lock, which by its name the caller holds, and all other callers do: p.mu in \(\*Peers\).Raise`
}

func (e *peer) bump(p *Peers) { e.score++ }

// Gauge is read after the release.
type Gauge struct {
	mu  sync.Mutex
	now int
	top int
}

func (g *Gauge) Up() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now++
	g.top = max(g.top, g.now)
}

func (g *Gauge) Down() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now--
	g.top = max(g.top, 1)
}

func (g *Gauge) Show() (int, int) {
	g.mu.Lock()
	now := g.now
	g.mu.Unlock()
	return now, g.top // want `g.top is accessed here without the lock`
}

// Top never took it: a look in passing.
func (h *Height) Top() int { return h.top }

type Height struct {
	mu  sync.Mutex
	top int
}

func (h *Height) Up() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.top++
}

func (h *Height) Down() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.top--
}

// Queue has a condition variable over its lock: q.ready.L is q.mu.
type Queue struct {
	mu    sync.Mutex
	ready *sync.Cond
	jobs  map[int]bool
}

func NewQueue() *Queue {
	q := &Queue{jobs: map[int]bool{}}
	q.ready = sync.NewCond(&q.mu)
	return q
}

func (q *Queue) Put(id int) {
	q.mu.Lock()
	q.jobs[id] = true
	q.mu.Unlock()
}

func (q *Queue) Has(id int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.jobs[id]
}

func (q *Queue) Forget(id int) {
	q.mu.Lock()
	delete(q.jobs, id)
	q.mu.Unlock()
}

func (q *Queue) Done(id int) {
	q.ready.L.Lock()
	delete(q.jobs, id)
	q.ready.Broadcast()
	q.ready.L.Unlock()
}

// Stream is given both: s.ready.L is s.mu.
type Stream struct {
	mu    *sync.Mutex
	ready *sync.Cond
	open  map[int]bool
}

func NewStream() *Stream {
	mu := new(sync.Mutex)
	ready := sync.NewCond(mu)
	return &Stream{mu: mu, ready: ready, open: map[int]bool{}}
}

func (s *Stream) Open(id int) {
	s.mu.Lock()
	s.open[id] = true
	s.mu.Unlock()
}

func (s *Stream) Forget(id int) {
	s.mu.Lock()
	delete(s.open, id)
	s.mu.Unlock()
}

func (s *Stream) Opened(id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[id]
}

func (s *Stream) Close(id int) {
	s.ready.L.Lock()
	delete(s.open, id)
	s.ready.Broadcast()
	s.ready.L.Unlock()
}

// Line has a condition variable over a lock of its own.
type Line struct {
	mu    sync.Mutex
	ready *sync.Cond
	jobs  map[int]bool
}

func NewLine() *Line {
	return &Line{ready: sync.NewCond(new(sync.Mutex)), jobs: map[int]bool{}}
}

func (l *Line) Add(id int) {
	l.mu.Lock()
	l.jobs[id] = true
	l.mu.Unlock()
}

func (l *Line) Done(id int) {
	l.mu.Lock()
	delete(l.jobs, id)
	l.mu.Unlock()
}

func (l *Line) Has(id int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.jobs[id]
}

func (l *Line) Close(id int) {
	l.ready.L.Lock()
	delete(l.jobs, id) // want `delete\(l.jobs, id\) is accessed here without the lock that all other functions hold for it: l.mu in \(\*Line\).`
	l.ready.L.Unlock()
}
