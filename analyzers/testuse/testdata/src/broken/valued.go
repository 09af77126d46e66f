package broken

import "sync"

// A Tollbooth is passed by value: all copies have the same channels.
type Tollbooth struct {
	mu   *sync.Mutex
	n    *int
	jobs chan int
	quit chan struct{}
}

func NewTollbooth() Tollbooth {
	t := Tollbooth{new(sync.Mutex), new(int), make(chan int), make(chan struct{})}
	go t.run()
	return t
}

func (t Tollbooth) run() {
	for {
		select {
		case j := <-t.jobs:
			println(j)
		case <-t.quit:
			return
		}
	}
}

func (t Tollbooth) Add(j int) {
	t.mu.Lock()
	*t.n++
	t.mu.Unlock()
	t.jobs <- j
}

func (t Tollbooth) Stop() {
	close(t.quit) // want `t.quit is closed without a look whether it is closed already: a second call panics`
}
