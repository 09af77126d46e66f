// Package cwown has requests which the loop answers, and such as are given up before they are sent.
package cwown

import (
	"errors"
	"sync"
)

// A Request is either sent, and then ended by the loop, or dropped by its owner.
type Request struct {
	what string
	err  error
	done chan struct{}
}

// NewRequest makes one.
func NewRequest(what string) *Request { return &Request{what: what, done: make(chan struct{})} }

// Drop ends a request that was not sent. It is not to be used any more.
func (r *Request) Drop() {
	r.err = errors.New("dropped")
	close(r.done)
}

// Wait waits for the end.
func (r *Request) Wait() error {
	<-r.done
	return r.err
}

// Loop answers requests.
type Loop struct {
	mu    sync.Mutex
	queue []*Request
	wake  chan struct{}
	do    func(string) error
}

// NewLoop starts one.
func NewLoop(do func(string) error) *Loop {
	l := &Loop{wake: make(chan struct{}, 1), do: do}
	go l.run()
	return l
}

// Send gives the request to the loop, which owns it from there on.
func (l *Loop) Send(r *Request) {
	l.mu.Lock()
	l.queue = append(l.queue, r)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *Loop) run() {
	for range l.wake {
		l.mu.Lock()
		list := l.queue
		l.queue = nil
		l.mu.Unlock()
		for _, r := range list {
			r.err = l.do(r.what)
			close(r.done)
		}
	}
}
