package broken

import "sync"

type gossip struct {
	mu    sync.Mutex
	heard []chan string
}

func (g *gossip) Watch() (<-chan string, func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	ch := make(chan string, 10)
	g.heard = append(g.heard, ch)
	return ch, func() {}
}

func (g *gossip) Publish(s string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, ch := range g.heard {
		ch <- s
	}
}

// Parish has people, and tells of those who come.
type Parish struct {
	mu     sync.RWMutex
	people map[string]int
	news   *gossip
}

func (p *Parish) Welcome(name string, age int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.enter(name, age)
	p.news.Publish(name)
}

func (p *Parish) enter(name string, age int) { p.people[name] = age }

func (p *Parish) Greet(greet func(string)) {
	var names []string
	p.mu.RLock()
	for name := range p.people { // want `what \(\*Parish\).Welcome adds to p.people after it was gone through here, and before p.news.Watch is asked to tell of more, is missed`
		names = append(names, name)
	}
	p.mu.RUnlock()
	for _, name := range names {
		greet(name)
	}
	more, end := p.news.Watch()
	defer end()
	for name := range more {
		greet(name)
	}
}
