// Package surround has functions that do something around what they are given.
package surround

import (
	"errors"
	"fmt"
	"sync"
)

// A Barn has its lock taken by methods.
type Barn struct {
	mu     sync.RWMutex
	shut   bool
	over   chan struct{}
	stalls map[string]int
	list   []string
	ended  bool
	most   int
}

func (b *Barn) within(do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	do()
}

func (b *Barn) looking(do func() error) error {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return do()
}

func (b *Barn) keep() func() {
	b.mu.Lock()
	return func() { b.mu.Unlock() }
}

func (b *Barn) peek() (release func()) {
	b.mu.RLock()
	return b.mu.RUnlock
}

func (b *Barn) every(do func(name string, n int)) {
	for k, v := range b.stalls {
		do(k, v)
	}
}

// under is a function, and not a method.
func under(b *Barn, do func()) {
	b.mu.Lock()
	do()
	b.mu.Unlock()
}

// Shut looks with one hold, and closes with another one.
func (b *Barn) Shut() {
	var done bool
	b.within(func() { done = b.shut }) // want `both pass the test of b.shut and close b.over twice: b.mu is released in between`
	if done {
		return
	}
	b.within(func() {
		b.shut = true
		close(b.over)
	})
}

// ShutOnce does all with one.
func (b *Barn) ShutOnce() {
	b.within(func() {
		if b.shut {
			return
		}
		b.shut = true
		close(b.over)
	})
}

var errShut = errors.New("shut")

// ShutUnder looks while it reads.
func (b *Barn) ShutUnder() error {
	err := b.looking(func() error {
		if b.shut { // want `both pass the test of b.shut and close b.over twice: b.mu is held for reading first and taken for writing later, without looking again`
			return errShut
		}
		return nil
	})
	if err != nil {
		return err
	}
	under(b, func() {
		b.shut = true
		close(b.over)
	})
	return nil
}

// Double reads with one release, and writes with another one.
func (b *Barn) Double(name string) {
	free := b.peek()
	n := b.stalls[name]
	free()
	defer b.keep()()
	b.stalls[name] = 2 * n
}

// Triple keeps it all along.
func (b *Barn) Triple(name string) {
	defer b.keep()()
	n := b.stalls[name]
	b.stalls[name] = 3 * n
}

// Note goes over the stalls, and puts down what it has found later.
func (b *Barn) Note() {
	var free []string
	b.mu.RLock()
	b.every(func(name string, n int) {
		if n == 0 {
			free = append(free, name)
		}
	})
	b.mu.RUnlock()
	b.mu.Lock()
	for _, name := range free {
		b.stalls[name] = 1
		b.list = append(b.list, name)
	}
	b.mu.Unlock()
}

func (b *Barn) open() error {
	if b.ended {
		return fmt.Errorf("barn %d is over", len(b.list))
	}
	if len(b.list) > b.most {
		return errShut
	}
	return nil
}

// End asks first.
func (b *Barn) End() error {
	if err := b.open(); err != nil { // want `both pass the test of b.ended \(in b.open\) and close b.over twice: b.mu is taken only afterwards`
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	close(b.over)
	return nil
}

// EndHeld asks with the lock held.
func (b *Barn) EndHeld() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.open()
	if err != nil {
		return err
	}
	b.ended = true
	close(b.over)
	return nil
}

// EndLater puts down what it has found.
func (b *Barn) EndLater() error {
	var err error
	b.mu.RLock()
	if b.ended { // want `both pass the test of b.ended and close b.over twice: b.mu is held for reading first and taken for writing later, without looking again`
		err = errShut
	}
	b.mu.RUnlock()
	if err != nil {
		return err
	}
	b.within(func() {
		b.ended = true
		close(b.over)
	})
	return nil
}

// counted decides for itself: it is no surround.
func (b *Barn) counted(do func()) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.list) > b.most {
		return false
	}
	do()
	return true
}

// Count is all right.
func (b *Barn) Count() bool {
	return b.counted(func() { b.most++ })
}
