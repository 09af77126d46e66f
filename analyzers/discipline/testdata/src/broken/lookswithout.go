package broken

import "sync"

// Leaguebook is kept by one goroutine, and looked into by others without the lock: by two of them.
type Leaguebook struct {
	lock  *sync.RWMutex
	teams map[string]*Squad
	news  chan string
	quit  chan struct{}
	out   func(*Squad)
}

type Squad struct{ members int }

func (r *Leaguebook) Start() {
	r.teams = make(map[string]*Squad)
	r.lock = &sync.RWMutex{}
	go r.loop()
	go r.refresh()
}

func (r *Leaguebook) refresh() {
	for name := range r.news {
		r.lock.Lock()
		if _, ok := r.teams[name]; !ok {
			r.teams[name] = &Squad{}
		}
		r.lock.Unlock()
	}
}

func (r *Leaguebook) Has(name string) bool {
	r.lock.RLock()
	defer r.lock.RUnlock()
	return r.teams[name] != nil
}

func (r *Leaguebook) loop() {
	for {
		select {
		case name := <-r.news:
			go r.check(name)
			go r.note(name)
		case <-r.quit:
			return
		}
	}
}

func (r *Leaguebook) check(name string) {
	s, ok := r.teams[name] // want `r\.teams\[name\] is looked into here without r\.lock, which all functions hold that change it, as \(\*Leaguebook\)\.refresh does`
	if ok {
		r.out(s)
	}
}

func (r *Leaguebook) note(name string) {
	for _, s := range r.teams { // said of the other look
		r.out(s)
	}
}
