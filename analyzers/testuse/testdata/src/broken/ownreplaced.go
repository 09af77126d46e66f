package broken

import "sync"

type folio struct {
	ready chan struct{}
	text  string
	err   error
}

// Folios makes each folio once.
type Folios struct {
	mu  sync.Mutex
	all map[string]*folio
}

// Page waits for who makes it, or makes it; who fails takes away what is there by then.
func (p *Folios) Folio(name string, render func(string) (string, error)) (string, error) {
	p.mu.Lock()
	at := p.all[name]
	if at != nil {
		p.mu.Unlock()
		<-at.ready
		return at.text, at.err
	}
	at = &folio{ready: make(chan struct{})}
	p.all[name] = at // want `what \(\*Folios\).Put stores in p.all meanwhile is deleted in the place of what is put there here: p.mu is released in between, and the key is deleted without a look at what has it`
	p.mu.Unlock()
	at.text, at.err = render(name)
	close(at.ready)
	if at.err != nil {
		p.Drop(name)
	}
	return at.text, at.err
}

// Drop takes a folio away.
func (p *Folios) Drop(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, name)
}

// Put has a folio that is made.
func (p *Folios) Put(name, text string) {
	ready := make(chan struct{})
	close(ready)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all[name] = &folio{ready: ready, text: text}
}
