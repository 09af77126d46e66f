package sched

// Send is c <- v.
func Send[T any](c chan<- T, v T) { c <- v }

// Receive is <-c.
func Receive[T any](c <-chan T) T { return <-c }

// ReceiveOK is v, ok := <-c.
func ReceiveOK[T any](c <-chan T) (T, bool) {
	v, ok := <-c
	return v, ok
}

// Close is close(c).
func Close[T any](c chan<- T) { close(c) }
