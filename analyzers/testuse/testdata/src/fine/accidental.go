package fine

import (
	"maps"
	"sync"
)

type options struct {
	revision int
	peers    []string
}

// A Reloader tests under the lock.
type Reloader struct {
	mu  sync.RWMutex
	now options
}

func (r *Reloader) Now() options {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.now
}

func (r *Reloader) Apply(o options) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o.revision <= r.now.revision {
		return false
	}
	r.now = o
	return true
}

// A Once is made with its options, and never given others.
type Configured struct {
	mu   sync.Mutex
	with options
	n    int
}

func NewConfigured(o options) *Configured {
	c := &Configured{}
	c.with = o
	return c
}

func (c *Configured) Add() {
	if c.with.revision > 0 {
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
	}
}

// mails belong to one goroutine each.
type mails struct {
	sync.Mutex
	list []string
}

func (m *mails) size() int {
	m.Lock()
	defer m.Unlock()
	return len(m.list)
}

func (m *mails) first() string {
	m.Lock()
	defer m.Unlock()
	s := m.list[0]
	m.list = m.list[1:]
	return s
}

type postman struct {
	mails *mails
	send  func(string)
}

func Deliver(n int, send func(string)) {
	for range n {
		p := &postman{mails: &mails{list: []string{"a"}}, send: send}
		go p.walk()
	}
}

func (p *postman) walk() {
	for p.next() {
	}
}

func (p *postman) next() bool {
	if p.mails.size() == 0 {
		return false
	}
	p.send(p.mails.first())
	return true
}

// An Index gives out a copy.
type Index struct {
	mu  sync.RWMutex
	all map[string]map[string]int
}

func (x *Index) Add(name, value string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	of, ok := x.all[name]
	if !ok {
		of = map[string]int{}
		x.all[name] = of
	}
	of[value]++
}

func (x *Index) values(name string) map[string]int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return maps.Clone(x.all[name])
}

func (x *Index) Sum(name string) (n int) {
	of := x.values(name)
	for _, v := range of {
		n += v
	}
	return n
}

// parsed are made of their key, once for each.
type parsed struct{ words []string }

type Parser struct {
	mu    sync.RWMutex
	all   map[string]*parsed
	parse func(string) *parsed
}

func (p *Parser) Get(s string) *parsed {
	p.mu.RLock()
	x := p.all[s]
	p.mu.RUnlock()
	if x == nil {
		x = p.parse(s)
		p.mu.Lock()
		p.all[s] = x
		p.mu.Unlock()
	}
	return x
}
