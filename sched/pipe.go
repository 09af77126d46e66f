package sched

import "sync"

// What io.Pipe does is done here, since package io cannot be rewritten: this package is
// built on it. The channels are those of the pipe.

// PipeRead is what the reading end of an io.Pipe does. With closed, one of the ends was
// closed instead; done is false if the caller is not under control.
func PipeRead(over chan struct{}, data chan []byte, taken chan int, b []byte) (n int, closed, done bool) {
	if !Active() {
		return 0, false, false
	}
	if isOver(over) {
		return 0, true, true
	}
	next, end := From(data), From(over)
	if Select(true, next.Case(), end.Case()) == 1 {
		return 0, true, true
	}
	n = copy(b, next.Value)
	Send(taken, n)
	return n, false, true
}

// PipeWrite is what the writing end does.
func PipeWrite(turn *sync.Mutex, over chan struct{}, data chan []byte, taken chan int, b []byte) (n int, closed, done bool) {
	if !Active() {
		return 0, false, false
	}
	if isOver(over) {
		return 0, true, true
	}
	acquire(turn)
	defer giveBack(turn)
	for {
		end := From(over)
		if Select(true, To(data).Case(b), end.Case()) == 1 {
			return n, true, true
		}
		part := Receive(taken)
		n, b = n+part, b[part:]
		if len(b) == 0 {
			return n, false, true
		}
	}
}

// PipeClose ends a pipe.
func PipeClose(over chan struct{}) { Close(over) }

// isOver looks whether the pipe was closed, without waiting.
func isOver(over chan struct{}) bool { return Select(false, From(over).Case()) == 0 }
