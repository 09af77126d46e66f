package fine

import (
	"errors"
	"io"
	"sync"
)

var errLineBusy = errors.New("line is busy")

type lineUser struct {
	name string
	c    io.ReadCloser
	over chan struct{}
}

type Switchboard struct {
	mu    sync.Mutex
	lines map[string]*lineUser
	busy  map[string]*lineUser
	wait  map[string]*lineUser
	names map[string]*lineUser
}

// talk takes away only its own.
func (x *Switchboard) talk(name string, c io.ReadCloser) {
	line := &lineUser{name: name, c: c}
	x.mu.Lock()
	if old := x.lines[name]; old != nil {
		old.c.Close()
	}
	x.lines[name] = line
	x.mu.Unlock()
	io.Copy(io.Discard, c)
	x.mu.Lock()
	if x.lines[name] == line {
		delete(x.lines, name)
	}
	x.mu.Unlock()
}

func (x *Switchboard) Call(name string, c io.ReadCloser) { go x.talk(name, c) }

// Busy lets one in.
func (x *Switchboard) Busy(name string, c io.ReadCloser) error {
	x.mu.Lock()
	if x.busy[name] != nil {
		x.mu.Unlock()
		return errLineBusy
	}
	x.busy[name] = &lineUser{name: name, c: c}
	x.mu.Unlock()
	io.Copy(io.Discard, c)
	x.mu.Lock()
	delete(x.busy, name)
	x.mu.Unlock()
	return nil
}

func (x *Switchboard) enter(u *lineUser) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if _, ok := x.names[u.name]; ok {
		return false
	}
	x.names[u.name] = u
	return true
}

func (x *Switchboard) leave(u *lineUser) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.names, u.name)
}

func (x *Switchboard) Named(name string, c io.ReadCloser) {
	u := &lineUser{name: name, c: c}
	if !x.enter(u) {
		return
	}
	defer x.leave(u)
	io.Copy(io.Discard, c)
}

// Wait lets the one before go first.
func (x *Switchboard) Wait(name string, c io.ReadCloser) {
	u := &lineUser{name: name, c: c, over: make(chan struct{})}
	x.mu.Lock()
	if old := x.wait[name]; old != nil {
		old.c.Close()
		x.mu.Unlock()
		<-old.over
		x.mu.Lock()
	}
	x.wait[name] = u
	x.mu.Unlock()
	io.Copy(io.Discard, c)
	x.mu.Lock()
	delete(x.wait, name)
	close(u.over)
	x.mu.Unlock()
}

// Swap deletes in the same hold.
func (x *Switchboard) Swap(name string, c io.ReadCloser) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if old := x.lines[name]; old != nil {
		old.c.Close()
	}
	x.lines[name] = &lineUser{name: name, c: c}
	if c == nil {
		delete(x.lines, name)
	}
}

// leaveIf leaves alone whoever has come since.
func (x *Switchboard) leaveIf(name string, u *lineUser) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lines[name] != u {
		return
	}
	delete(x.lines, name)
}

func (x *Switchboard) Again(name string, c io.ReadCloser) {
	u := &lineUser{name: name, c: c}
	x.mu.Lock()
	if old := x.lines[name]; old != nil {
		old.c.Close()
	}
	x.lines[name] = u
	x.mu.Unlock()
	defer x.leaveIf(name, u)
	io.Copy(io.Discard, c)
}
