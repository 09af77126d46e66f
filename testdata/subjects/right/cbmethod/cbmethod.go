// Package cbmethod starts its loop in one way or another.
package cbmethod

import (
	"errors"
	"time"
)

// A Poller polls.
type Poller struct {
	poll func() error
	stop chan struct{}
	done chan struct{}
}

// Start starts a poller; in a hurry it does not wait before it begins.
func Start(poll func() error, hurry bool) *Poller {
	p := &Poller{poll: poll, stop: make(chan struct{}), done: make(chan struct{})}
	if hurry {
		go p.loop(0)
	} else {
		go p.loop(time.Second)
	}
	return p
}

// Resume starts one that was made by Make.
func (p *Poller) Resume(kind int) error {
	switch kind {
	case 0:
		go p.loop(0)
		return nil
	case 1:
		go p.loop(time.Minute)
		return nil
	}
	return errors.New("cbmethod: no such kind")
}

// Make makes one that is not started.
func Make(poll func() error) *Poller {
	return &Poller{poll: poll, stop: make(chan struct{}), done: make(chan struct{})}
}

func (p *Poller) loop(wait time.Duration) {
	defer close(p.done)
	time.Sleep(wait)
	for {
		select {
		case <-p.stop:
			return
		case <-time.After(time.Second):
		}
		if err := p.poll(); err != nil {
			return
		}
	}
}

// Wait waits for the end.
func (p *Poller) Wait() { <-p.done }
