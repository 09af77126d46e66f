package sched

import (
	"sync"
	"unsafe"
)

// A lock is what the engine knows of a Mutex or RWMutex while it is held or
// waited for. The real one is taken and given back as well, never waited for.
type lock struct {
	object    unsafe.Pointer
	real      locker
	holder    *Goroutine   // has it for writing
	announced *Goroutine   // RWMutex: waits for the readers to leave and keeps new ones out
	readers   []*Goroutine // RWMutex: have it for reading, one as often as it does
	waiters   []*Goroutine // disabled until it is given back
}

// locker is a real lock.
type locker interface {
	TryLock() bool
	Unlock()
}

// lockOf returns the lock of the object.
func (e *engine) lockOf(object unsafe.Pointer, real locker) *lock {
	l := e.locks[object]
	if l != nil {
		return l
	}
	if n := len(e.free); n > 0 {
		l = e.free[n-1]
		e.free = e.free[:n-1]
	} else {
		l = new(lock)
	}
	l.object, l.real = object, real
	e.locks[object] = l
	return l
}

// given is called when l was given back by somebody: all that wait for it can make
// a step again.
func (e *engine) given(l *lock) {
	e.enableAll(l.waiters)
	clear(l.waiters)
	l.waiters = l.waiters[:0]
	e.forget(l)
}

// forget drops what is known of a lock that nobody has or waits for.
func (e *engine) forget(l *lock) {
	if l.holder == nil && l.announced == nil && len(l.readers) == 0 && len(l.waiters) == 0 {
		delete(e.locks, l.object)
		l.object, l.real = nil, nil
		e.free = append(e.free, l)
	}
}

// taken is called when l was taken for writing: those that were about to take it
// cannot make a step any more.
func (e *engine) taken(l *lock) {
	if len(e.state.Enabled) < 2 {
		return
	}
	kept := e.state.Enabled[:0]
	for _, g := range e.state.Enabled {
		if g.Next.Object == l.object && (g.Next.Kind == Locking || g.Next.Kind == RLocking) && g != l.holder && g != l.announced {
			g.enabled, g.obstacle = false, l
			l.waiters = append(l.waiters, g)
			continue
		}
		kept = append(kept, g)
	}
	clear(e.state.Enabled[len(kept):])
	e.state.Enabled = kept
}

// await makes g, which is not running, one of those that wait for l.
func (e *engine) await(g *Goroutine, l *lock) {
	e.disable(g)
	l.waiters = append(l.waiters, g)
	g.obstacle = l
}

// keepsOut says whether somebody who comes to l now has to wait: not if its memory
// was overwritten, as in s = T{}, and the owner that is known has nothing any more.
func (e *engine) keepsOut(l *lock) bool {
	if l.holder != nil && l.real.TryLock() {
		l.real.Unlock()
		if e.hybrid != nil {
			release(l.holder, l.object, true)
		}
		l.holder = nil
		e.given(l)
		return false
	}
	return l.holder != nil || l.announced != nil
}

// owners returns those who have l.
func (l *lock) owners() []*Goroutine {
	switch {
	case l.holder != nil:
		return []*Goroutine{l.holder}
	case l.announced != nil:
		return append([]*Goroutine{l.announced}, l.readers...)
	}
	return l.readers
}

// over asks the real lock whether it is free although the engine knows an owner,
// or waits for one it does not know: a goroutine that is not under control may
// unlock whatever it likes. Then it enables those that wait for it.
func (l *lock) over(e *engine) bool {
	if !l.real.TryLock() {
		return false
	}
	l.real.Unlock()
	l.holder, l.readers = nil, l.readers[:0]
	if l.announced != nil {
		e.enable(l.announced)
		return false
	}
	e.given(l)
	return true
}

// lock is the point before taking a lock for writing, and taking it.
func (e *engine) lock(g *Goroutine, object unsafe.Pointer, real locker) {
	g.Next = Operation{Kind: Locking, Object: object, Write: true}
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
		l := e.lockOf(object, real)
		if real.TryLock() {
			l.holder = g
			e.taken(l)
			break
		}
		if len(l.readers) > 0 && l.announced == nil {
			l.announced = g
			e.taken(l)
			e.park(g, l)
			l.announced = nil
			continue
		}
		e.await(g, l) // for somebody who is not under control
		e.decide(g)
	}
	if e.hybrid != nil {
		e.hybrid.acquired(g, object, true)
	}
}

// tryLock is the point before TryLock or TryRLock, and the attempt. A lock that is
// announced is not to be had, as with the real one.
func (e *engine) tryLock(g *Goroutine, object unsafe.Pointer, real locker, write bool) bool {
	e.point(g, Operation{Kind: TryLocking, Object: object, Write: true})
	if l := e.locks[object]; l != nil && l.announced != nil {
		return false
	}
	if write && !real.TryLock() || !write && !real.(*sync.RWMutex).TryRLock() {
		return false
	}
	l := e.lockOf(object, real)
	if write {
		l.holder = g
		e.taken(l)
	} else {
		l.readers = append(l.readers, g)
	}
	if e.hybrid != nil {
		g.chain = chain()
		e.hybrid.acquired(g, object, write)
	}
	return true
}

// unlocked is called when the real lock was given back by one who had it for
// writing.
func (e *engine) unlocked(g *Goroutine, object unsafe.Pointer) {
	l := e.locks[object]
	if l == nil {
		return
	}
	if e.hybrid != nil {
		release(l.holder, object, true)
	}
	l.holder = nil
	e.given(l)
}

// takeLock is real.Lock.
func takeLock(object unsafe.Pointer, real locker) (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	g.engine.lock(g, object, real)
	leave(g)
	return true
}

// tryLock is real.TryLock, or TryRLock.
func tryLock(object unsafe.Pointer, real locker, write bool) (locked, done bool) {
	g := enter()
	if g == nil {
		return false, false
	}
	locked = g.engine.tryLock(g, object, real, write)
	leave(g)
	return locked, true
}

// giveLock is real.Unlock.
func giveLock(object unsafe.Pointer, real locker) (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	defer leave(g)
	real.Unlock() // a fatal error if it is not locked
	g.engine.unlocked(g, object)
	return true
}

// MutexLock is m.Lock.
func MutexLock(m *sync.Mutex) (done bool) {
	return takeLock(unsafe.Pointer(m), m)
}

// MutexTryLock is m.TryLock; done is what the others return.
func MutexTryLock(m *sync.Mutex) (locked, done bool) {
	return tryLock(unsafe.Pointer(m), m, true)
}

// MutexUnlock is m.Unlock.
func MutexUnlock(m *sync.Mutex) (done bool) {
	return giveLock(unsafe.Pointer(m), m)
}
