package broken

import (
	"context"
	"sync"
)

// Outbox works on letters when it is woken.
type Outbox struct {
	mu      sync.Mutex
	letters []string
	wake    chan struct{}
}

func NewOutbox(send func(string)) *Outbox {
	o := &Outbox{wake: make(chan struct{})}
	go o.run(send)
	return o
}

func (o *Outbox) Put(letter string) {
	o.mu.Lock()
	o.letters = append(o.letters, letter)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *Outbox) run(send func(string)) {
	for {
		o.mu.Lock()
		list := o.letters // want `o.wake has no buffer, and \(\*Outbox\).Put gives its signal only to who is waiting already: what it does to o.letters between this look and the wait is heard of by nobody; a buffer of one keeps the signal`
		o.letters = nil
		o.mu.Unlock()
		for _, letter := range list {
			send(letter)
		}
		<-o.wake
	}
}

// ErrandWalk are done one after the other, until the context ends.
type ErrandWalk struct {
	mu    sync.Mutex
	open  []func()
	ready chan struct{}
}

func NewErrandWalk(ctx context.Context) *ErrandWalk {
	e := &ErrandWalk{ready: make(chan struct{})}
	go e.walk(ctx)
	return e
}

func (e *ErrandWalk) Add(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open = append(e.open, f)
	select {
	case e.ready <- struct{}{}:
	default:
	}
}

func (e *ErrandWalk) walk(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.ready:
		}
		for {
			f := e.next() // want `e.ready has no buffer, and \(\*ErrandWalk\).Add gives its signal only to who is waiting already: what it does to e.open between this look and the wait is heard of by nobody; a buffer of one keeps the signal`
			if f == nil {
				break
			}
			f()
		}
	}
}

func (e *ErrandWalk) next() func() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.open) == 0 {
		return nil
	}
	f := e.open[0]
	e.open = e.open[1:]
	return f
}
