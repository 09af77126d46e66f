package channels

import "sync"

// Hearer is told of news as long as it is on.
type Hearer struct {
	mu   sync.RWMutex
	on   bool
	news chan int
}

func (l *Hearer) isOn() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.on
}

// Off may be called by whoever has the listener.
func (l *Hearer) Off() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.news)
	l.on = false
}

// Station has listeners.
type Station struct {
	mu        sync.Mutex
	listeners map[string]*Hearer
	in        chan int
}

func (s *Station) Listen(name string) *Hearer {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &Hearer{on: true, news: make(chan int, 9)}
	s.listeners[name] = l
	return l
}

// Tell keeps others from the list meanwhile, and not from the listeners.
func (s *Station) Tell(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.listeners {
		if l.isOn() { // want `l.news can be closed between the test of l.on and the send on it, which then panics`
			l.news <- n
		}
	}
}

// Start has one goroutine send.
func (s *Station) Start() {
	go func() {
		for n := range s.in {
			s.mu.Lock()
			for name, l := range s.listeners {
				if l.isOn() { // want `l.news can be closed between the test of l.on and the send on it, which then panics`
					l.news <- n
				} else {
					delete(s.listeners, name)
				}
			}
			s.mu.Unlock()
		}
	}()
}

// guest is on as long as the house says so.
type guest struct {
	mu   sync.Mutex
	on   bool
	news chan int
}

func (g *guest) isOn() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.on
}

func (g *guest) off() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.news)
	g.on = false
}

// House has guests, and is the only one to end them.
type House struct {
	mu     sync.Mutex
	guests map[string]*guest
}

func (h *House) Enter(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.guests[name] = &guest{on: true, news: make(chan int, 9)}
}

func (h *House) Leave(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if g := h.guests[name]; g != nil {
		g.off()
		delete(h.guests, name)
	}
}

func (h *House) Send(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, g := range h.guests {
		if g.isOn() {
			g.news <- n
		}
	}
}
