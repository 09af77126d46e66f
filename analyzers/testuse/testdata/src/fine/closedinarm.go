package fine

import (
	"sync"
	"time"
)

type letter struct {
	cancel chan struct{}
	once   sync.Once
	due    chan int
}

type Office struct{ out chan *letter }

func (p *Office) Take() {
	x := &letter{cancel: make(chan struct{})}
	go p.pause(time.Minute, x)
	go p.pause(time.Second, x)
	go p.await(x)
	go p.await(x)
}

func (p *Office) pause(d time.Duration, x *letter) {
	select {
	case <-time.After(d):
		x.once.Do(func() { close(x.cancel) })
		p.out <- x
	case <-x.cancel:
	}
}

// await is chosen by what comes to one alone.
func (p *Office) await(x *letter) {
	select {
	case <-x.due:
		x.once.Do(func() { close(x.cancel) })
	case <-x.cancel:
	}
}

// Lamp burns for one goroutine.
type burningLamp struct{ off chan struct{} }

func Burn() {
	l := &burningLamp{off: make(chan struct{})}
	go l.burn(time.Second)
	<-l.off
}

func (l *burningLamp) burn(d time.Duration) {
	select {
	case <-time.After(d):
		close(l.off)
	case <-l.off:
	}
}
