package broken

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errGone = errors.New("gone")

// Line can be closed by everybody.
type Line struct {
	closed atomic.Bool
	gone   chan struct{}
}

// IsClosed says whether it is closed.
func (l *Line) IsClosed() bool { return l.closed.Load() }

func (l *Line) shutdown() {
	l.closed.Store(true)
	close(l.gone)
}

// Close sets the flag when it returns.
func (l *Line) Close() error {
	if l.IsClosed() { // want `two goroutines can both pass the test of l.closed \(in l.IsClosed\) and (both set it|close l.gone twice): two atomic operations are not one`
		return errGone
	}
	defer l.shutdown()
	return l.say("bye")
}

func (l *Line) say(string) error { return nil }

// Pool starts a worker for each name.
type Pool struct {
	mu      sync.Mutex
	workers map[string]*worker
	running bool
}

type worker struct{ n int }

func (w *worker) run() { w.n++ }

// Start leaves it to the goroutine to enter the worker.
func (p *Pool) Start(name string) {
	p.mu.Lock()
	_, ok := p.workers[name] // want `two goroutines can both pass the test of p.workers\[name\] and both set it: p.mu is released in between`
	p.mu.Unlock()
	if ok {
		return
	}
	go func() {
		w := &worker{}
		p.mu.Lock()
		p.workers[name] = w
		p.mu.Unlock()
		w.run()
	}()
}

// Stop removes it.
func (p *Pool) Stop(name string) {
	p.mu.Lock()
	delete(p.workers, name)
	p.mu.Unlock()
}

// Run sets the flag under the same lock as it tests it, and takes it away at the end.
func (p *Pool) Run() {
	p.mu.Lock()
	if p.running {
		p.mu.Unlock()
		return
	}
	p.running = true
	p.mu.Unlock()
	defer p.ended()
	p.Start("main")
}

func (p *Pool) ended() {
	p.mu.Lock()
	p.running = false
	p.mu.Unlock()
}

// Counts counts words of kinds.
type Counts struct {
	mu sync.RWMutex
	of map[string]map[string]int
}

// Add counts in the map that it has made itself, even where another one has come before it.
func (c *Counts) Add(kind, word string) {
	c.mu.RLock()
	words := c.of[kind] // want `two goroutines can both pass the test of c.of\[kind\] and both set it: c.mu is held for reading first and taken for writing later, without looking again`
	c.mu.RUnlock()
	if words == nil {
		words = map[string]int{}
		c.mu.Lock()
		c.of[kind] = words
		c.mu.Unlock()
	}
	c.mu.Lock()
	words[word]++
	c.mu.Unlock()
}
