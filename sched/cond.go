package sched

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// A condWaiter is a goroutine in Cond.Wait.
type condWaiter struct {
	g         *Goroutine
	signalled bool
}

// CondWait is c.Wait. There is a point before it, so that a signal can come too
// early, and one before it takes the lock again.
func CondWait(c *sync.Cond) (done bool) { return condWait(c, CondWaiting) }

// condWait is CondWait, told as an operation of the kind.
func condWait(c *sync.Cond, kind Kind) (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	e, object := g.engine, unsafe.Pointer(c)
	e.point(g, Operation{Kind: kind, Object: object})
	w := &condWaiter{g: g}
	e.conds[object] = append(e.conds[object], w)
	leave(g)
	unlock(c.L)
	g.reenter()
	if !w.signalled {
		g.Next = Operation{Kind: kind, Object: object}
		e.park(g, nil)
	}
	if e.hybrid != nil {
		e.hybrid.receive(object, g)
	}
	leave(g)
	lockAgain(c.L)
	return true
}

// CondSignal is c.Signal. From a goroutine that is not under control it wakes one
// that is as soon as the token's holder looks, and returns false.
func CondSignal(c *sync.Cond) (done bool) { return wake(c, 1) }

// CondBroadcast is c.Broadcast; see CondSignal.
func CondBroadcast(c *sync.Cond) (done bool) { return wake(c, -1) }

func wake(c *sync.Cond, n int) (done bool) {
	g := enter()
	if g == nil {
		tellHolder(func(e *engine) {
			if object := unsafe.Pointer(c); len(e.conds[object]) > 0 {
				e.uncontrol("a Cond was signalled by a goroutine that is not under control")
				e.signal(object, n)
			}
		})
		return false
	}
	e, object := g.engine, unsafe.Pointer(c)
	if e.hybrid != nil {
		e.hybrid.send(object, g)
	}
	e.signal(object, n)
	leave(g)
	return true
}

// signal wakes n goroutines that wait at the Cond, in the order in which they
// came; all of them if n is negative.
func (e *engine) signal(object unsafe.Pointer, n int) {
	list := e.conds[object]
	if n < 0 || n > len(list) {
		n = len(list)
	}
	for _, w := range list[:n] {
		w.signalled = true
		e.enable(w.g)
	}
	if n == len(list) {
		delete(e.conds, object)
	} else {
		e.conds[object] = list[n:]
	}
}

// unlock gives a Cond's lock back, under control whether or not the standard
// library is patched.
func unlock(l sync.Locker) {
	switch l := l.(type) {
	case *sync.Mutex:
		MutexUnlock(l)
	case *sync.RWMutex:
		RWMutexUnlock(l)
	default:
		l.Unlock()
	}
}

// lockAgain takes it; see unlock.
func lockAgain(l sync.Locker) {
	switch l := l.(type) {
	case *sync.Mutex:
		MutexLock(l)
	case *sync.RWMutex:
		RWMutexLock(l)
	default:
		l.Lock()
	}
}

// reenter is enter for a goroutine that is known to be under control. When the run
// has ended meanwhile, it stays here like all others that are left.
func (g *Goroutine) reenter() {
	if enter() == nil {
		select {}
	}
}

// tellHolder leaves a task for the holder of the token, if there is a run.
func tellHolder(task func(*engine)) {
	if holder := (*Goroutine)(atomic.LoadPointer(&current)); holder != nil {
		e := holder.engine
		e.inbox.put(func() { task(e) })
	}
}
