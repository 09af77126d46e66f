package held

import "sync"

type account struct {
	mu      sync.Mutex
	rw      *sync.RWMutex
	written bool
}

// commit gives up what its caller has taken.
func (a *account) commit() {
	probe() // want `<a.mu>`
	a.written = false
	a.mu.Unlock()
	probe() // want `<>`
}

// commitLater does so in the end.
func (a *account) commitLater() {
	defer a.mu.Unlock()
	probe() // want `<a.mu>`
}

// leave gives up the lock in the way in which it was taken.
func (a *account) leave() {
	if a.written {
		probe() // want `<the caller's lock>`
		a.rw.Unlock()
		probe() // want `<>`
	} else {
		a.rw.RUnlock()
	}
}

// retake takes the lock, too: whether before or after is not asked.
func (a *account) retake(n int) {
	probe() // want `<>`
	if n > 0 {
		a.mu.Lock()
	}
	a.written = true
	if n > 0 {
		a.mu.Unlock()
	}
}

// attempt takes it if it is free.
func (a *account) attempt() {
	probe() // want `<>`
	if !a.mu.TryLock() {
		return
	}
	probe() // want `<a.mu>`
	a.mu.Unlock()
}

func (a *account) take() { a.mu.Lock() }

// below takes it by a method.
func (a *account) below() {
	probe() // want `<>`
	a.take()
	probe() // want `<a.mu>`
	a.mu.Unlock()
}
