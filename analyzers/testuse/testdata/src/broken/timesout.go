package broken

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Attempt gives the error of whoever is late to a channel that is closed by then.
func Attempt(run, fallback func() error) chan error {
	errs := make(chan error, 1)
	finished := make(chan bool, 1)
	go func() {
		defer func() { finished <- true }()
		if err := run(); err != nil {
			if err := fallback(); err != nil {
				errs <- err
				return
			}
		}
	}()
	go func() {
		defer close(errs) // want `errs is closed here whether or not the other goroutine has sent on it`
		t := time.NewTimer(time.Second)
		defer t.Stop()
		select {
		case <-finished:
		case <-t.C:
			errs <- errors.New("timeout")
		}
	}()
	return errs
}

// Watch closes when it is told to, and does not wait.
func Watch(ctx context.Context, next func() int) <-chan int {
	values := make(chan int)
	done := make(chan bool)
	go func() {
		defer close(done)
		values <- next()
	}()
	go func() {
		select {
		case <-ctx.Done():
		case <-done:
		}
		close(values) // want `values is closed here whether or not the other goroutine has sent on it`
	}()
	return values
}

// A Forwarder starts a goroutine each time that it finds itself not connected: two, if two find that.
type Forwarder struct {
	mu           sync.Mutex
	reconnecting bool
	dial         func() error
}

func (f *Forwarder) Send() {
	if !f.reconnecting { // want `two goroutines can both pass the test of f.reconnecting and both set it: f.mu is taken only afterwards`
		f.mu.Lock()
		f.reconnecting = true
		f.mu.Unlock()
		f.reconnect()
	}
}

func (f *Forwarder) reconnect() {
	go func() {
		for f.dial() != nil {
			time.Sleep(time.Second)
		}
		f.mu.Lock()
		f.reconnecting = false
		f.mu.Unlock()
	}()
}
