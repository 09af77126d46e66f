package fine

import (
	"context"
	"time"
)

type stint struct {
	idle chan struct{}
	more chan string
}

// ChoreOffice has several clerks, each of which receives errands of its own.
type ChoreOffice struct{ errands chan *stint }

func OpenChoreOffice(n int) *ChoreOffice {
	o := &ChoreOffice{errands: make(chan *stint)}
	for range n {
		go o.clerk()
	}
	return o
}

func (o *ChoreOffice) clerk() {
	for e := range o.errands {
		for over := false; !over; {
			select {
			case <-time.After(time.Minute):
				close(e.idle)
				over = true
			case s := <-e.more:
				println(s)
			case <-e.idle:
				over = true
			}
		}
	}
}

func (o *ChoreOffice) Give(ctx context.Context) (chan<- string, <-chan struct{}) {
	e := &stint{idle: make(chan struct{}), more: make(chan string)}
	select {
	case o.errands <- e:
	case <-ctx.Done():
	}
	return e.more, e.idle
}
