// Package spared holds sequences that look broken and are not, each next to one
// that is.
package spared

import (
	"context"
	"sync"
	"sync/atomic"
)

type page struct{ n int }

func (p *page) Close() {}

// Worker tests its phase in one goroutine and in what anybody calls.
type Worker struct {
	mu    sync.Mutex
	phase int
	page  *page
	ready chan struct{}
	busy  bool
	over  bool
	tries atomic.Int32
	limit atomic.Int32
	gate  chan struct{}
	seen  int // only accessed by the run loop
}

// Start may be called again, which it looks for itself.
func (w *Worker) Start() {
	w.mu.Lock()
	if w.phase > 0 { // want `both pass the test of w.phase and both set it: w.mu is released in between`
		w.mu.Unlock()
		return
	}
	w.mu.Unlock()
	w.prepare(1)
}

// Again prepares what was prepared before.
func (w *Worker) Again() {
	w.prepare(2)
	w.prepare(3)
}

func (w *Worker) prepare(n int) {
	w.mu.Lock()
	w.phase = n
	w.mu.Unlock()
}

// Cancel is called from anywhere.
func (w *Worker) Cancel() {
	w.mu.Lock()
	w.page = nil
	w.mu.Unlock()
}

// Load waits for the page: what it saw before it waited is expected to change.
func (w *Worker) Load() *page {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if w.page != nil {
			return w.page
		}
		w.mu.Unlock()
		<-w.ready
		w.mu.Lock()
		w.page = &page{w.phase}
	}
}

// Reload does not wait.
func (w *Worker) Reload(p *page) {
	w.mu.Lock()
	if w.page != nil { // want `both pass the test of w.page and both set it`
		w.mu.Unlock()
		return
	}
	w.mu.Unlock()
	w.mu.Lock()
	w.page = p
	w.mu.Unlock()
}

// Claim leaves a mark before it releases the lock, and looks for it first.
func (w *Worker) Claim(p *page) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy {
		return
	}
	if w.page == nil {
		w.busy = true
		w.mu.Unlock()
		p.Close()
		w.mu.Lock()
		w.page = p
		w.busy = false
	}
}

// Finish stores what it has found stored.
func (w *Worker) Finish(p *page) {
	w.mu.Lock()
	over := w.over
	w.mu.Unlock()
	if over {
		p.Close()
		w.mu.Lock()
		w.over = true
		w.mu.Unlock()
	}
}

// Tune sets the limit if it is another one.
func (w *Worker) Tune(n int32, p *page) {
	if w.limit.Load() != n {
		p.Close()
		w.limit.Store(n)
	}
}

// Retry stores after only one of all goroutines has counted to ten.
func (w *Worker) Retry(n int32) {
	if n > w.limit.Load() {
		if w.tries.Add(1) == 10 {
			w.limit.Store(n)
		}
	}
}

// Raise stores at once.
func (w *Worker) Raise(n int32) {
	if n > w.limit.Load() { // want `both pass the test of w.limit and both set it`
		w.limit.Store(n)
	}
}

// Give does not count.
func (w *Worker) Give(p *page) {
	if w.limit.Load() > 0 { // want `both pass the test of w.limit and both set it`
		w.limit.Store(0)
		p.Close()
	}
}

// Enter is let in one at a time by a channel.
func (w *Worker) Enter(ctx context.Context, p *page) {
	select {
	case w.gate <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-w.gate }()
	w.mu.Lock()
	if w.page != nil {
		w.mu.Unlock()
		return
	}
	w.mu.Unlock()
	w.mu.Lock()
	w.page = p
	w.mu.Unlock()
}

// Single is called by the run loop, and never concurrently.
func (w *Worker) Single(p *page) {
	w.mu.Lock()
	if w.page != nil {
		w.mu.Unlock()
		return
	}
	w.mu.Unlock()
	w.mu.Lock()
	w.page = p
	w.mu.Unlock()
}

// See is about a field whose declaration says who uses it.
func (w *Worker) See(n int) {
	w.mu.Lock()
	if w.seen > 3 {
		w.mu.Unlock()
		return
	}
	w.mu.Unlock()
	w.mu.Lock()
	w.seen = n
	w.mu.Unlock()
}

// Elector runs in the goroutine of Run, which is called once.
type Elector struct {
	mu    sync.RWMutex
	term  int
	voted bool
}

func (e *Elector) Run(ctx context.Context) {
	for ctx.Err() == nil {
		e.elect(e.Term() + 1)
	}
}

func (e *Elector) elect(n int) {
	e.mu.RLock()
	if e.term > n {
		e.mu.RUnlock()
		return
	}
	e.mu.RUnlock()
	e.mu.Lock()
	e.term = n
	e.mu.Unlock()
}

func (e *Elector) Term() int {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.term
}

// Store is filled before Open returns it.
type Store struct {
	mu    sync.Mutex
	pages map[int]*page
	last  int
}

func Open(n int) *Store {
	s := &Store{pages: map[int]*page{}}
	go func() { s.Flush() }()
	s.fill(n)
	return s
}

func (s *Store) fill(n int) {
	if len(s.pages) == 0 {
		s.mu.Lock()
		s.pages[n] = &page{n}
		s.mu.Unlock()
	}
}

func (s *Store) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := range s.pages {
		delete(s.pages, n)
	}
}

// Add is called at any time.
func (s *Store) Add(n int, p *page) {
	if s.pages[n] == nil { // want `both pass the test of s.pages\[n\] and both set it: s.mu is taken only afterwards`
		s.mu.Lock()
		s.pages[n] = p
		s.mu.Unlock()
	}
}

// Cursor belongs to one goroutine; the lock is that of the store it reads.
type Cursor struct {
	store *Store2
	at    int
}

type Store2 struct {
	mu   sync.RWMutex
	next []int
}

func (c *Cursor) Next() int {
	if c.at == 0 {
		return 0
	}
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	c.at = c.store.next[c.at]
	if c.at > 9 {
		c.at = 0
	}
	return c.at
}

func (s *Store2) Put(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = append(s.next, n)
}
