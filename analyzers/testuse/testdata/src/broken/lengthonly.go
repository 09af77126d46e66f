package broken

import (
	"sync"
	"time"
)

type leaflet struct {
	text string
	read time.Time
	uses int
}

// Leaflets keeps a few of them, and forgets those that have changed.
type Leaflets struct {
	mu    sync.Mutex
	kept  map[string]*leaflet
	most  int
	fetch func(string) (string, error)
}

func (p *Leaflets) Get(name string) (string, error) {
	p.mu.Lock()
	if x, ok := p.kept[name]; ok && time.Since(x.read) < time.Minute { // want `both pass the test of p.kept.name. and both set it: p.mu is released in between`
		x.uses++
		text := x.text
		p.mu.Unlock()
		return text, nil
	}
	p.mu.Unlock()
	text, err := p.fetch(name)
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kept) >= p.most {
		p.forget()
	}
	p.kept[name] = &leaflet{text: text, read: time.Now()}
	return text, nil
}

func (p *Leaflets) forget() {
	for name, x := range p.kept {
		if x.uses == 0 {
			delete(p.kept, name)
		}
	}
}

func (p *Leaflets) Changed(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.kept, name)
}
