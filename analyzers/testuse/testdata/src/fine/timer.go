package fine

import (
	"sync"
	"time"
)

// Each has a timer of its own, of which its goroutine takes what is there.

type Patrol struct {
	mu    sync.Mutex
	seen  int
	timer *time.Timer
	steps chan int
}

func NewPatrol() *Patrol {
	p := &Patrol{timer: time.NewTimer(time.Minute), steps: make(chan int)}
	go p.Run()
	return p
}

func (p *Patrol) Step(n int) { p.steps <- n }

func (p *Patrol) Seen() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen
}

func (p *Patrol) again() {
	if len(p.timer.C) > 0 {
		<-p.timer.C
	}
	p.timer.Reset(time.Minute)
}

func (p *Patrol) Run() {
	for {
		select {
		case n := <-p.steps:
			p.mu.Lock()
			p.seen += n
			p.mu.Unlock()
			p.again()
		case <-p.timer.C:
			return
		}
	}
}
