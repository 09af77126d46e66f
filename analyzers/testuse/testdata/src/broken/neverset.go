package broken

import (
	"log"
	"sync/atomic"
)

// Lookout watches what comes by, and is meant to be one at a time.
type Lookout struct {
	name     string
	watching int32
	quit     chan bool
	sights   chan string
}

func (l *Lookout) Prepare() {
	l.quit = make(chan bool)
	l.sights = make(chan string, 8)
}

func (l *Lookout) See(what string) { l.sights <- what }

func (l *Lookout) Watch() {
	if atomic.LoadInt32(&l.watching) != 0 { // want `l.watching is tested here and taken back later, and nobody sets it: the test lets all goroutines in at the same time`
		log.Printf("%s watches already", l.name)
		return
	}
	defer func() {
		atomic.StoreInt32(&l.watching, 0)
	}()
	for {
		select {
		case <-l.quit:
			return
		case what := <-l.sights:
			log.Print(what)
		}
	}
}

var lookouts = map[string]*Lookout{}

func WatchFromAll() {
	for _, l := range lookouts {
		l.Prepare()
		go l.Watch()
	}
}
