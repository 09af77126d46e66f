package fine

import (
	"log"
	"sync/atomic"
)

// Sentinel is told elsewhere that it is to stay at home.
type Sentinel struct {
	name   string
	home   int32
	quit   chan bool
	sights chan string
}

func (l *Sentinel) Prepare() {
	l.quit = make(chan bool)
	l.sights = make(chan string, 8)
}

func (l *Sentinel) StayAtHome() { atomic.StoreInt32(&l.home, 1) }

func (l *Sentinel) Watch() {
	if atomic.LoadInt32(&l.home) != 0 {
		log.Printf("%s stays at home", l.name)
		return
	}
	defer atomic.StoreInt32(&l.home, 0)
	for {
		select {
		case <-l.quit:
			return
		case what := <-l.sights:
			log.Print(what)
		}
	}
}

var sentinels = map[string]*Sentinel{}

func SendSentinels() {
	for _, l := range sentinels {
		l.Prepare()
		go l.Watch()
	}
}
