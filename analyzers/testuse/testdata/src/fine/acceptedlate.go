package fine

import (
	"net"
	"sync"
	"sync/atomic"
)

// A Gatehouse waits for its loop, too: as long as that runs, the wait goes on.
type Gatehouse struct {
	open  atomic.Bool
	conns sync.WaitGroup
}

func (g *Gatehouse) Start(ln net.Listener) {
	g.open.Store(true)
	g.conns.Add(1)
	go func() {
		defer g.conns.Done()
		g.accept(ln)
	}()
}

func (g *Gatehouse) accept(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if err != nil || !g.open.Load() {
			return
		}
		g.conns.Add(1)
		go func() {
			defer g.conns.Done()
			c.Close()
		}()
	}
}

// Stop waits for all.
func (g *Gatehouse) Stop() {
	g.open.Store(false)
	g.conns.Wait()
}

// A Tollhouse counts under the lock under which it has looked.
type Tollhouse struct {
	mu    sync.Mutex
	open  bool
	conns sync.WaitGroup
}

func (t *Tollhouse) Serve(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		t.mu.Lock()
		if !t.open {
			t.mu.Unlock()
			return
		}
		t.conns.Add(1)
		t.mu.Unlock()
		go func() {
			defer t.conns.Done()
			c.Close()
		}()
	}
}

// Stop waits for those who were let in.
func (t *Tollhouse) Stop() {
	t.mu.Lock()
	t.open = false
	t.mu.Unlock()
	t.conns.Wait()
}

// A Harbourgate runs its loop by the Go of a group, and waits for that one first.
type Harbourgate struct {
	open  atomic.Bool
	loops sync.WaitGroup
	conns sync.WaitGroup
}

func (l *Harbourgate) Start(ln net.Listener) {
	l.open.Store(true)
	l.loops.Go(func() { l.accept(ln) })
}

func (l *Harbourgate) accept(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if err != nil || !l.open.Load() {
			return
		}
		l.conns.Add(1)
		go func() {
			defer l.conns.Done()
			c.Close()
		}()
	}
}

// Stop waits for the loop, and then for those it has let in.
func (l *Harbourgate) Stop() {
	l.open.Store(false)
	l.loops.Wait()
	l.conns.Wait()
}

// A Pierhead looks whether it is open, and nobody waits after it was told to close.
type Pierhead struct {
	open  atomic.Bool
	conns sync.WaitGroup
}

func (p *Pierhead) Serve(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if err != nil || !p.open.Load() {
			return
		}
		p.conns.Add(1)
		go func() {
			defer p.conns.Done()
			c.Close()
		}()
	}
}

// Pause lets nobody in.
func (p *Pierhead) Pause() { p.open.Store(false) }

// Drain waits for those who are there.
func (p *Pierhead) Drain() { p.conns.Wait() }
