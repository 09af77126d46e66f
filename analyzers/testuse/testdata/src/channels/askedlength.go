package channels

import "sync"

type lodger struct {
	name string
	mail chan string
	slow int
}

func (g *lodger) full() bool { return len(g.mail) == cap(g.mail) }

// Inn has guests who read their mail when they like.
type Inn struct {
	mu     sync.RWMutex
	guests map[string]*lodger
}

func (i *Inn) Check(name string, n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.guests[name] = &lodger{name: name, mail: make(chan string, n)}
}

// Announce is called by several at once, as its lock shows.
func (i *Inn) Announce(s string) {
	i.mu.RLock()
	defer i.mu.RUnlock()
	for _, g := range i.guests {
		if g.full() { // want `another goroutine can use g.mail \(in g.full\) after its length was looked at`
			continue
		}
		g.mail <- s
	}
}

// Call does not wait.
func (i *Inn) Call(s string) {
	i.mu.RLock()
	defer i.mu.RUnlock()
	for _, g := range i.guests {
		if g.full() {
			continue
		}
		select {
		case g.mail <- s:
		default:
		}
	}
}

type feed struct {
	news chan string
	lost int
}

func (f *feed) room() bool { return len(f.news) < cap(f.news) }

// Press makes room in the feeds of those who are slow.
type Press struct {
	mu    sync.Mutex
	feeds []*feed
	own   chan string
}

func (p *Press) Subscribe() <-chan string {
	f := &feed{news: make(chan string, 3)}
	p.mu.Lock()
	p.feeds = append(p.feeds, f)
	p.mu.Unlock()
	return f.news
}

func (p *Press) Print(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.feeds {
		if !f.room() { // want `another goroutine can use f.news \(in f.room\) after its length was looked at`
			<-f.news
			f.lost++
		}
		f.news <- s
	}
}

// Keep sends under the lock that all senders hold, and receives there too.
func (p *Press) Keep(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.own) == cap(p.own) {
		<-p.own
	}
	if len(p.own) < cap(p.own) {
		p.own <- s
	}
}
