package sched

import (
	"runtime"
	"time"
)

// What the rewriter (rewrite/controlled.go) puts in the place of Go's constructs,
// made of the operations of this package. The functions have one type parameter
// that follows from the channel, so that a value is converted to the channel's
// element type by the rules of Go, as in the statement it comes from.

// A Sender is the channel of a send statement or of such a case.
type Sender[T any] struct{ c chan<- T }

// To is the channel to send to.
func To[T any](c chan<- T) Sender[T] { return Sender[T]{c} }

// Send is c <- v.
func (s Sender[T]) Send(v T) { Send(s.c, v) }

// Case is case c <- v.
func (s Sender[T]) Case(v T) Case { return SendCase(s.c, v) }

// A Received is what the case of a select statement receives.
type Received[T any] struct {
	Value T    // set when the case is chosen
	OK    bool // false when the channel is closed
	c     <-chan T
}

// From is case …, … = <-c.
func From[T any](c <-chan T) *Received[T] { return &Received[T]{c: c} }

// Case is the case for Select.
func (r *Received[T]) Case() Case { return ReceiveCase(r.c, &r.Value, &r.OK) }

// Range begins a loop over the channel's values.
func Range[T any](c <-chan T) (channel <-chan T, v T) { return c, v }

// Next receives the next value; it is false, and v left as it is, when the
// channel is closed.
func Next[T any](c <-chan T, v *T) bool {
	next, ok := ReceiveOK(c)
	if ok {
		*v = next
	}
	return ok
}

// SleepFor is time.Sleep.
func SleepFor(d time.Duration) {
	if !Sleep(d) {
		time.Sleep(d)
	}
}

// Gosched is runtime.Gosched.
func Gosched() {
	if !Yield() {
		runtime.Gosched()
	}
}

// ExitCode is the argument of os.Exit.
func ExitCode(code int) int {
	Flush(code)
	return code
}
