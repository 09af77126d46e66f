// Package loflight fetches each page once at a time.
package loflight

import (
	"sync"
	"time"
)

type call struct {
	done chan struct{}
	text string
	err  error
}

type kept struct {
	text string
	at   time.Time
}

// Pages are fetched by one goroutine each at a time: the others wait for it.
type Pages struct {
	mu     sync.Mutex
	flight map[string]*call
	kept   map[string]kept
	most   int
	fetch  func(string) (string, error)
}

// New keeps at most n pages.
func New(n int, fetch func(string) (string, error)) *Pages {
	return &Pages{flight: map[string]*call{}, kept: map[string]kept{}, most: n, fetch: fetch}
}

// Get returns the page.
func (p *Pages) Get(url string) (string, error) {
	p.mu.Lock()
	if k, ok := p.kept[url]; ok && time.Since(k.at) < time.Minute {
		p.mu.Unlock()
		return k.text, nil
	}
	if c := p.flight[url]; c != nil {
		p.mu.Unlock()
		<-c.done
		return c.text, c.err
	}
	c := &call{done: make(chan struct{})}
	p.flight[url] = c
	p.mu.Unlock()

	c.text, c.err = p.fetch(url)

	p.mu.Lock()
	defer p.mu.Unlock()
	defer close(c.done)
	delete(p.flight, url)
	if c.err != nil {
		return "", c.err
	}
	if len(p.kept) >= p.most {
		clear(p.kept)
	}
	p.kept[url] = kept{c.text, time.Now()}
	return c.text, nil
}

// Tidy drops what is out of date.
func (p *Pages) Tidy() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for url, k := range p.kept {
		if time.Since(k.at) > time.Minute {
			delete(p.kept, url)
		}
	}
}
