package sched

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// A Backlog holds the connections that a listener has not accepted yet. Its methods may
// be called by several goroutines at a time.
type Backlog struct {
	mu   sync.Mutex
	cond sync.Cond // of everything here

	waiting []any
	closed  bool
	by      time.Time // deadline of Accept; zero: none
}

// listening counts the backlogs that are open.
var listening int32

// NewBacklog returns one that is empty.
func NewBacklog() *Backlog {
	atomic.AddInt32(&listening, 1)
	b := new(Backlog)
	b.cond.L = &b.mu
	return b
}

// Put adds a connection. It is false when the listener is closed.
func (b *Backlog) Put(connection any) bool {
	acquire(&b.mu)
	defer giveBack(&b.mu)
	if b.closed {
		return false
	}
	told(unsafe.Pointer(&b.waiting))
	b.waiting = append(b.waiting, connection)
	broadcast(&b.cond)
	return true
}

// Accept returns the one that came first, and waits for one.
func (b *Backlog) Accept() (connection any, err error) {
	acquire(&b.mu)
	defer giveBack(&b.mu)
	for {
		switch {
		case b.closed:
			return nil, ErrClosed
		case isPast(b.by):
			return nil, os.ErrDeadlineExceeded
		case len(b.waiting) > 0:
			heard(unsafe.Pointer(&b.waiting))
			connection, b.waiting = b.waiting[0], b.waiting[1:]
			return connection, nil
		}
		awaitUntil(&b.cond, b.by)
	}
}

// SetDeadline is that of Accept.
func (b *Backlog) SetDeadline(t time.Time) error {
	acquire(&b.mu)
	defer giveBack(&b.mu)
	if b.closed {
		return ErrClosed
	}
	b.by = t
	broadcast(&b.cond)
	return nil
}

// Close returns the connections that nobody has accepted, and nobody will.
func (b *Backlog) Close() (left []any, err error) {
	acquire(&b.mu)
	defer giveBack(&b.mu)
	//atomrace:ignore test-and-use acquire has taken the lock
	if b.closed {
		return nil, ErrClosed
	}
	left, b.waiting, b.closed = b.waiting, nil, true
	atomic.AddInt32(&listening, -1)
	broadcast(&b.cond)
	return left, nil
}

// ProcessStarted says that a child process, which is not under control anyway, cannot reach
// who listens here.
func ProcessStarted(name string) {
	g := enter()
	if g == nil {
		return
	}
	if e := g.engine; atomic.LoadInt32(&listening) > 0 && !e.warnedOfChild {
		e.warnedOfChild = true
		why := filepath.Base(name) + " was started while somebody listens on the loopback interface, which is kept within this process; if it is to connect, use -network real"
		if e.uncontrolled != "" {
			e.warn(why)
		}
		e.uncontrol(why)
	}
	leave(g)
}

// What follows is for goroutines under control as for others, whether or not the
// standard library is patched.

func acquire(m *sync.Mutex) {
	if !MutexLock(m) {
		m.Lock()
	}
}

func giveBack(m *sync.Mutex) {
	if !MutexUnlock(m) {
		m.Unlock()
	}
}

func broadcast(c *sync.Cond) {
	if !CondBroadcast(c) {
		c.Broadcast()
	}
}

// told and heard are the two ends of a message for the hybrid pass: what came before the
// one happened before what follows the other.
func told(object unsafe.Pointer) { inHybrid(object, (*hybrid).send) }

func heard(object unsafe.Pointer) { inHybrid(object, (*hybrid).receive) }

func inHybrid(object unsafe.Pointer, end func(*hybrid, unsafe.Pointer, *Goroutine)) {
	if g := enter(); g != nil {
		if h := g.engine.hybrid; h != nil {
			end(h, object, g)
		}
		leave(g)
	}
}

// awaitUntil waits at c, until the deadline at the latest if that is not zero. The lock
// is held.
func awaitUntil(c *sync.Cond, deadline time.Time) {
	if !deadline.IsZero() {
		wake := func() {
			acquire(c.L.(*sync.Mutex))
			defer giveBack(c.L.(*sync.Mutex))
			broadcast(c)
		}
		in := deadline.Sub(timeNow())
		t, done := AfterFunc(in, wake)
		if !done {
			t = time.AfterFunc(in, wake)
		}
		defer func() {
			if _, done := TimerStop(t); !done {
				t.Stop()
			}
		}()
	}
	if !condWait(c, Networking) {
		c.Wait()
	}
}

// isPast says whether a deadline has passed; zero is none.
func isPast(deadline time.Time) bool { return !deadline.IsZero() && !timeNow().Before(deadline) }

func timeNow() time.Time {
	if now, done := Now(); done {
		return now
	}
	return time.Now()
}
