package sched

import (
	"sync"
	"unsafe"
)

// readLock is the point before taking a RWMutex for reading, and taking it. A
// writer that waits keeps new readers out, as the real one does.
func (e *engine) readLock(g *Goroutine, m *sync.RWMutex) {
	object := unsafe.Pointer(m)
	g.Next = Operation{Kind: RLocking, Object: object}
	if e.trace {
		g.where = position()
	}
	if e.chains {
		g.chain = chain()
	}
	if l := e.locks[object]; l != nil && e.keepsOut(l) {
		e.await(g, l)
	}
	e.decide(g)
	for {
		g.obstacle = nil
		l := e.lockOf(object, m)
		if m.TryRLock() {
			l.readers = append(l.readers, g)
			break
		}
		e.await(g, l) // for somebody who is not under control
		e.decide(g)
	}
	if e.hybrid != nil {
		e.hybrid.acquired(g, object, false)
	}
}

// readUnlocked is called when the real lock was given back by one who had it for
// reading: by g if it has it, otherwise for whoever came first.
func (e *engine) readUnlocked(g *Goroutine, object unsafe.Pointer) {
	l := e.locks[object]
	if l == nil || len(l.readers) == 0 {
		return
	}
	at := 0
	for i, r := range l.readers {
		if r == g {
			at = i
		}
	}
	if e.hybrid != nil {
		release(l.readers[at], object, false)
	}
	l.readers = append(l.readers[:at], l.readers[at+1:]...)
	if len(l.readers) > 0 {
		return
	}
	if l.announced != nil {
		e.enable(l.announced)
		return
	}
	e.given(l)
}

// RWMutexLock is m.Lock.
func RWMutexLock(m *sync.RWMutex) (done bool) {
	return takeLock(unsafe.Pointer(m), m)
}

// RWMutexTryLock is m.TryLock.
func RWMutexTryLock(m *sync.RWMutex) (locked, done bool) {
	return tryLock(unsafe.Pointer(m), m, true)
}

// RWMutexUnlock is m.Unlock.
func RWMutexUnlock(m *sync.RWMutex) (done bool) {
	return giveLock(unsafe.Pointer(m), m)
}

// RWMutexRLock is m.RLock.
func RWMutexRLock(m *sync.RWMutex) (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	g.engine.readLock(g, m)
	leave(g)
	return true
}

// RWMutexTryRLock is m.TryRLock.
func RWMutexTryRLock(m *sync.RWMutex) (locked, done bool) {
	return tryLock(unsafe.Pointer(m), m, false)
}

// RWMutexRUnlock is m.RUnlock.
func RWMutexRUnlock(m *sync.RWMutex) (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	defer leave(g)
	m.RUnlock() // a fatal error if it is not locked
	g.engine.readUnlocked(g, unsafe.Pointer(m))
	return true
}
