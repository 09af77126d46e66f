package broken

import (
	"net"
	"sync"
	"sync/atomic"
)

// Frontdoor serves connections until it is shut down.
type Frontdoor struct {
	mu      sync.RWMutex
	started bool
	ln      net.Listener
	conns   sync.WaitGroup
}

// Serve takes in what comes.
func (f *Frontdoor) Serve(ln net.Listener) error {
	f.mu.Lock()
	f.started, f.ln = true, ln
	f.mu.Unlock()
	return f.accept(ln)
}

func (f *Frontdoor) accept(ln net.Listener) error {
	for {
		c, err := ln.Accept()
		f.mu.RLock()
		if !f.started { // want `between this look at f.started and the Add, another goroutine can end it and wait for f.conns`
			f.mu.RUnlock()
			return nil
		}
		f.mu.RUnlock()
		if err != nil {
			continue
		}
		f.conns.Add(1)
		go f.answer(c)
	}
}

func (f *Frontdoor) answer(c net.Conn) {
	defer f.conns.Done()
	c.Write([]byte("hello"))
	c.Close()
}

// Shutdown waits for those who are served.
func (f *Frontdoor) Shutdown() {
	f.mu.Lock()
	f.started = false
	f.ln.Close()
	f.mu.Unlock()
	f.conns.Wait()
}

// Sidedoor tells by an atomic flag.
type Sidedoor struct {
	open  atomic.Bool
	conns sync.WaitGroup
}

// Serve takes in what comes.
func (d *Sidedoor) Serve(ln net.Listener) error {
	d.open.Store(true)
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		if !d.open.Load() { // want `between this look at d.open and the Add, another goroutine can end it and wait for d.conns`
			c.Close()
			return nil
		}
		d.conns.Add(1)
		go func() {
			defer d.conns.Done()
			c.Write([]byte("hello"))
			c.Close()
		}()
	}
}

// Shutdown gives those who are served their time.
func (d *Sidedoor) Shutdown(late chan struct{}) {
	d.open.Store(false)
	all := make(chan struct{})
	go func() {
		d.conns.Wait()
		close(all)
	}()
	select {
	case <-all:
	case <-late:
	}
}
