// Package waiting waits on condition variables.
package waiting

import "sync"

// Gate is opened under another lock than the one that waiters hold.
type Gate struct {
	mu     sync.Mutex
	cond   *sync.Cond
	openMu sync.Mutex
	open   bool
}

func NewGate() *Gate {
	g := &Gate{}
	g.cond = sync.NewCond(&g.mu)
	return g
}

func (g *Gate) isOpen() bool {
	g.openMu.Lock()
	defer g.openMu.Unlock()
	return g.open
}

func (g *Gate) Pass() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.isOpen() {
		g.cond.Wait()
	}
}

func (g *Gate) Open() {
	g.openMu.Lock()
	defer g.openMu.Unlock()
	g.open = true // want `g.open is changed here without g.mu, which a waiter holds from its test of it to its wait`
	g.cond.Broadcast()
}

// Pool is drained by a function that tests one thing and waits for another.
type Pool struct {
	mu    sync.Mutex
	cond  *sync.Cond
	busy  int
	drain bool
}

func (p *Pool) draining() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.drain
}

func (p *Pool) await() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy == 0 {
		return
	}
	p.cond.Wait()
}

func (p *Pool) Drain() {
	for p.draining() { // want `p.drain can change, and the signal be given to nobody, between the test of it and the wait in p.await`
		p.await()
	}
}

func (p *Pool) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drain = false
	p.cond.Broadcast()
}

// Turnstile does it right: what waiters test is changed under their lock.
type Turnstile struct {
	mu   sync.Mutex
	cond *sync.Cond
	free int
	last int
}

func (t *Turnstile) Take() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.free == 0 {
		t.cond.Wait()
	}
	t.free--
}

// Give signals after it has released the lock, which is as good.
func (t *Turnstile) Give() {
	t.mu.Lock()
	t.free++
	t.mu.Unlock()
	t.cond.Signal()
}

// Note changes what no waiter tests.
func (t *Turnstile) Note(n int) {
	t.last = n
	t.cond.Broadcast()
}

// Flag changes an unlocked flag, and takes the lock before it signals: a waiter
// is before its test or in its wait.
type Flag struct {
	mu   sync.Mutex
	cond sync.Cond
	set  bool
}

func (f *Flag) Wait() {
	f.mu.Lock()
	for !f.set {
		f.cond.Wait()
	}
	f.mu.Unlock()
}

func (f *Flag) Set() {
	f.set = true
	f.mu.Lock()
	f.cond.Broadcast()
	f.mu.Unlock()
}

// Locker takes the lock by another name than the waiters do.
type Locker struct {
	mu   sync.Mutex
	cond *sync.Cond
	done bool
}

func (l *Locker) Wait() {
	l.cond.L.Lock()
	for !l.done {
		l.cond.Wait()
	}
	l.cond.L.Unlock()
}

func (l *Locker) Done() {
	l.mu.Lock()
	l.done = true
	l.cond.Broadcast()
	l.mu.Unlock()
}
