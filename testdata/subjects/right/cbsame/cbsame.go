// Package cbsame starts two workers one after the other, in one variable.
package cbsame

import (
	"bufio"
	"io"
)

type worker struct {
	in   io.Reader
	done chan struct{}
	n    int
}

func newWorker(in io.Reader) *worker { return &worker{in: in, done: make(chan struct{})} }

func (w *worker) run() {
	defer close(w.done)
	s := bufio.NewScanner(w.in)
	for s.Scan() {
		w.n++
	}
}

// Lines counts the lines of both.
func Lines(a, b io.Reader) int {
	var all []*worker
	w := newWorker(a)
	all = append(all, w)
	go w.run()
	w = newWorker(b)
	all = append(all, w)
	go w.run()
	n := 0
	for _, w := range all {
		<-w.done
		n += w.n
	}
	return n
}

// Two does so with a channel that it gives away.
func Two(a, b io.Reader) {
	first := make(chan struct{})
	done := first
	go drain(a, done)
	done = make(chan struct{})
	go drain(b, done)
	<-first
	<-done
}

func drain(r io.Reader, done chan struct{}) {
	defer close(done)
	io.Copy(io.Discard, r)
}
