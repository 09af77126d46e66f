// Package quiet starts no goroutine: it does not show that several have one of its objects.
package quiet

import (
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
)

// Refresher is what others have of the objects.
type Refresher interface {
	Refresh()
	Open()
	Admit() bool
	End()
	ServeHTTP(http.ResponseWriter, *http.Request)
}

// NewPrices makes one.
func NewPrices() Refresher { return &prices{done: make(chan struct{})} }

// prices are the package's own, but others have them.
type prices struct {
	mu    sync.Mutex
	fresh bool
	all   []int
	open  atomic.Bool
	users atomic.Int32
	stale bool
	done  chan struct{}
}

// Refresh is for whoever has a Refresher.
func (p *prices) Refresh() {
	p.mu.Lock()
	if p.fresh { // want `both pass the test of p.fresh and both set it`
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	n := load()
	p.mu.Lock()
	p.all = append(p.all, n)
	p.fresh = true
	p.mu.Unlock()
}

func (p *prices) Open() {
	if !p.open.Load() {
		load()
		p.open.Store(true)
	}
}

// Admit counts: who comes at the same time is what it is for.
func (p *prices) Admit() bool {
	if p.users.Load() >= 3 { // want `both pass the test of p.users and both add to it`
		return false
	}
	p.users.Add(1)
	return true
}

// End closes a channel.
func (p *prices) End() {
	p.mu.Lock()
	if p.done == nil { // want `both pass the test of p.done and close p.done twice`
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	load()
	p.mu.Lock()
	close(p.done)
	p.done = nil
	p.mu.Unlock()
}

// ServeHTTP is called for each request, in a goroutine of its own.
func (p *prices) ServeHTTP(http.ResponseWriter, *http.Request) {
	p.mu.Lock()
	stale := p.stale // want `both pass the test of p.stale and both set it`
	p.mu.Unlock()
	if !stale {
		n := load()
		p.mu.Lock()
		p.all = append(p.all, n)
		p.stale = true
		p.mu.Unlock()
	}
}

// A Shop has its tariffs for itself.
type Shop struct{ of *tariffs }

// NewShop makes one.
func NewShop() *Shop { return &Shop{of: &tariffs{}} }

// Sell does it.
func (s *Shop) Sell() { s.of.Refresh() }

// tariffs are the package's own: it knows who comes when.
type tariffs struct {
	mu    sync.Mutex
	fresh bool
	all   []int
}

func (t *tariffs) Refresh() {
	t.mu.Lock()
	if t.fresh {
		t.mu.Unlock()
		return
	}
	t.mu.Unlock()
	n := load()
	t.mu.Lock()
	t.all = append(t.all, n)
	t.fresh = true
	t.mu.Unlock()
}

// Prices are for all to have.
type Prices struct {
	mu    sync.Mutex
	fresh bool
	all   []int
}

// Refresh is called by whoever likes to.
func (p *Prices) Refresh() {
	p.mu.Lock()
	if p.fresh { // want `both pass the test of p.fresh and both set it`
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	n := load()
	p.mu.Lock()
	p.all = append(p.all, n)
	p.fresh = true
	p.mu.Unlock()
}

// Rates are looked up by whoever has them, and none should be lost.
type Rates struct{ of sync.Map }

// Add keeps the first one.
func (r *Rates) Add(name string, rate *Prices) bool {
	if _, ok := r.of.Load(name); ok { // want `both pass the test of r.of\[name\] and both set it`
		return false
	}
	r.of.Store(name, rate)
	return true
}

func load() int { return 1 }

// A Keeper keeps what nobody has put there before.
type Keeper interface {
	PutNew(name, value string) error
}

type inMemory struct{ data sync.Map }

// NewInMemory is for whoever wants one.
func NewInMemory() Keeper { return &inMemory{} }

// PutNew tells two who come with one name that each was the first.
func (m *inMemory) PutNew(name, value string) error {
	if _, ok := m.data.Load(name); ok { // want `two goroutines can both pass the test of m.data\[name\] and both set it: Load and Store are two operations`
		return errTaken
	}
	m.data.Store(name, value)
	return nil
}

var errTaken = errors.New("taken")

type ownBook struct{ data sync.Map }

// putNew is for the package, which has one book.
func (b *ownBook) PutNew(name, value string) error {
	if _, ok := b.data.Load(name); ok {
		return errTaken
	}
	b.data.Store(name, value)
	return nil
}

var book ownBook
