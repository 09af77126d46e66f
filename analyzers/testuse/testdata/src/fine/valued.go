package fine

import "sync"

// A Lodgegate is copied, and its channel is each time another one.
type Lodgegate struct {
	mu   *sync.Mutex
	n    *int
	quit chan struct{}
}

func (g Lodgegate) Fresh() Lodgegate {
	g.quit = make(chan struct{})
	return g
}

func (g Lodgegate) Add() {
	g.mu.Lock()
	*g.n++
	g.mu.Unlock()
}

func (g Lodgegate) Run(f func()) {
	g.quit = make(chan struct{})
	go func() {
		f()
		close(g.quit)
	}()
	<-g.quit
}
