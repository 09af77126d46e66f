package broken

import "time"

type stint struct {
	idle chan struct{}
	more chan string
}

// ChoreOffice gives each stint to all clerks.
type ChoreOffice struct {
	errands chan *stint
	clerks  int
}

func OpenChoreOffice(n int) *ChoreOffice {
	o := &ChoreOffice{errands: make(chan *stint), clerks: n}
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
			case <-e.idle: // want `two goroutines can both close e.idle: a select that finds both arms ready takes either`
				over = true
			}
		}
	}
}

func (o *ChoreOffice) Give() chan<- string {
	e := &stint{idle: make(chan struct{}), more: make(chan string)}
	for range o.clerks {
		o.errands <- e
	}
	return e.more
}
