package sched

import "unsafe"

// Send is c <- v.
func Send[T any](c chan<- T, v T) {
	g := enter()
	if g == nil {
		c <- v
		return
	}
	defer leave(g)
	e, p := g.engine, *(*unsafe.Pointer)(unsafe.Pointer(&c))
	e.point(g, Operation{Kind: Sending, Object: p, Write: true})
	if e.channels[p] == nil { // nobody waits at it: the short way
		select {
		case c <- v:
			e.sent(g, p, cap(c))
			return
		default:
		}
	}
	e.perform(g, &sendOperation[T]{c, v})
}

// Receive is <-c.
func Receive[T any](c <-chan T) T {
	v, _ := ReceiveOK(c)
	return v
}

// ReceiveOK is v, ok := <-c.
func ReceiveOK[T any](c <-chan T) (v T, ok bool) {
	g := enter()
	if g == nil {
		v, ok = <-c
		return v, ok
	}
	e, p := g.engine, *(*unsafe.Pointer)(unsafe.Pointer(&c))
	e.point(g, Operation{Kind: Receiving, Object: p, Write: true})
	if e.channels[p] == nil {
		select {
		case v, ok = <-c:
			e.received(g, p, ok)
			leave(g)
			return v, ok
		default:
		}
	}
	op := &receiveOperation[T]{c: c}
	e.perform(g, op)
	leave(g)
	return op.v, op.ok
}

// Close is close(c).
func Close[T any](c chan<- T) {
	g := enter()
	if g == nil {
		close(c)
		return
	}
	defer leave(g)
	e, p := g.engine, *(*unsafe.Pointer)(unsafe.Pointer(&c))
	e.point(g, Operation{Kind: Closing, Object: p, Write: true})
	close(c) // panics if it is nil or closed
	e.closed(g, p)
}

// A channelOperation is a send or a receive that may have to wait, or the case of
// a select.
type channelOperation interface {
	channel() unsafe.Pointer
	sends() bool
	capacity() int
	// attempt does it on the real channel if that is possible at once. A send
	// panics if the channel is closed.
	attempt() bool
	// meet does it together with the other end, which waits.
	meet(other channelOperation)
	// deliver hands what was received to the case of a select.
	deliver()
	// plain returns it for a goroutine that is not under control.
	plain() plainCase
}

type sendOperation[T any] struct {
	c chan<- T
	v T
}

func (s *sendOperation[T]) channel() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&s.c)) }
func (s *sendOperation[T]) sends() bool             { return true }
func (s *sendOperation[T]) capacity() int           { return cap(s.c) }

func (s *sendOperation[T]) attempt() bool {
	select {
	case s.c <- s.v:
		return true
	default:
		return false
	}
}

func (s *sendOperation[T]) meet(other channelOperation) {
	r := other.(*receiveOperation[T])
	r.v, r.ok = s.v, true
}

type receiveOperation[T any] struct {
	c  <-chan T
	v  T
	ok bool
	// Where a case of a select wants them; nil if it does not.
	toV  *T
	toOK *bool
}

func (r *receiveOperation[T]) channel() unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&r.c))
}
func (r *receiveOperation[T]) sends() bool   { return false }
func (r *receiveOperation[T]) capacity() int { return cap(r.c) }

func (r *receiveOperation[T]) attempt() bool {
	select {
	case r.v, r.ok = <-r.c:
		return true
	default:
		return false
	}
}

func (r *receiveOperation[T]) meet(other channelOperation) { other.meet(r) }

// A waiter is a goroutine that waits at a channel, in one of the cases of its
// select.
type waiter struct {
	g             *Goroutine
	operation     channelOperation
	index         int
	list          *waiterList
	before, after *waiter
}

// A waiterList holds waiters in the order in which they came.
type waiterList struct{ first, last *waiter }

func (l *waiterList) add(w *waiter) {
	w.list, w.before = l, l.last
	if l.last != nil {
		l.last.after = w
	} else {
		l.first = w
	}
	l.last = w
}

func (l *waiterList) remove(w *waiter) {
	if w.before != nil {
		w.before.after = w.after
	} else {
		l.first = w.after
	}
	if w.after != nil {
		w.after.before = w.before
	} else {
		l.last = w.before
	}
}

// A channelQueue holds those who wait at one channel.
type channelQueue struct{ senders, receivers waiterList }
