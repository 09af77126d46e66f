// Package documented ends something when it is told to, however often.
// This implementation is thread-safe.
package documented

import "sync"

type Ender struct {
	Done chan struct{}

	mutex sync.Mutex
	ended bool
	f     func()
}

func New(f func()) *Ender { return &Ender{Done: make(chan struct{}), f: f} }

func (e *Ender) End() {
	e.mutex.Lock()
	if e.ended {
		e.mutex.Unlock()
		return
	}
	e.ended = true
	e.mutex.Unlock()
	close(e.Done)
	e.f()
}

func (e *Ender) Ended() bool {
	return e.ended // want `e.ended is returned here without e.mutex, with which \(\*Ender\).End writes it`
}
