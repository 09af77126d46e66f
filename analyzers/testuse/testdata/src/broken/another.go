package broken

import (
	"context"
	"sync"
	"sync/atomic"
)

// What the first of two has put into its own basket is gone.

type basket struct {
	mu    sync.Mutex
	fruit []string
}

func (b *basket) put(name string) {
	b.mu.Lock()
	b.fruit = append(b.fruit, name)
	b.mu.Unlock()
}

type Picker struct {
	basket atomic.Pointer[basket]
}

func (p *Picker) Pick(name string) {
	b := p.basket.Load() // want `both pass the test of p.basket and both set it`
	if b == nil {
		b = new(basket)
		p.basket.Store(b)
	}
	b.put(name)
}

func (p *Picker) Empty() *basket { return p.basket.Swap(nil) }

// Both tell that they are on duty now.

type Guard struct {
	onDuty  atomic.Bool
	Relieve func()
}

func (g *Guard) OnDuty() bool { return g.onDuty.Load() }

func (g *Guard) begin() {
	g.onDuty.Store(true)
	g.Relieve()
}

func (g *Guard) Arrive() {
	if !g.OnDuty() { // want `both pass the test of g.onDuty \(in g.OnDuty\) and both set it`
		g.begin()
	}
}

func (g *Guard) Watch() {
	go g.Arrive()
	go g.Arrive()
}

// A map with types of its own, of which two methods are one operation too many.

type Guest struct {
	mu    sync.Mutex
	pages []string
}

func (v *Guest) Add(page string) {
	v.mu.Lock()
	v.pages = append(v.pages, page)
	v.mu.Unlock()
}

type guestsByName struct{ all sync.Map }

func (m *guestsByName) find(name string) (*Guest, bool) {
	v, ok := m.all.Load(name)
	if !ok {
		return nil, false
	}
	return v.(*Guest), true
}

func (m *guestsByName) keep(name string, v *Guest) { m.all.Store(name, v) }

type Guests struct{ by guestsByName }

func (s *Guests) Of(name string) *Guest {
	if v, ok := s.by.find(name); ok { // want `both pass the test of s.by.all\[name\] \(in s.by.find\) and both set it`
		return v
	}
	v := &Guest{}
	s.by.keep(name, v)
	return v
}

// The lock is taken twice, by a function that is given what to do under it.

var (
	shelvesMu sync.RWMutex
	shelves   = map[string]*Guest{}
)

func withShelves(do func()) {
	shelvesMu.Lock()
	defer shelvesMu.Unlock()
	do()
}

func Shelve(name string, v *Guest, check func() error) error {
	var there bool
	withShelves(func() {
		_, there = shelves[name] // want `both pass the test of shelves\[name\] and both set it`
	})
	if there {
		return context.Canceled
	}
	if err := check(); err != nil {
		return err
	}
	withShelves(func() { shelves[name] = v })
	return nil
}

func Unshelve(name string) *Guest {
	shelvesMu.RLock()
	defer shelvesMu.RUnlock()
	return shelves[name]
}

// What makes room lets go of the lock, and another one puts the same page in.

type page struct {
	number int
	dirty  bool
}

type pageWriter interface{ write(*page) error }

type Pages struct {
	mu    sync.Mutex
	pages map[int]*page
	queue []int
	most  int
	disk  pageWriter
}

func (p *Pages) evict() error {
	n := p.queue[0]
	p.queue = p.queue[1:]
	old := p.pages[n]
	delete(p.pages, n)
	if old == nil || !old.dirty {
		return nil
	}
	p.mu.Unlock()
	defer p.mu.Lock()
	return p.disk.write(old)
}

func (p *Pages) Put(pg *page) (*page, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if was := p.pages[pg.number]; was != nil { // want `both pass the test of p.pages\[pg.number\] and both set it: p.mu is released in between`
		return was, nil
	}
	for len(p.queue) >= p.most {
		if err := p.evict(); err != nil {
			return nil, err
		}
	}
	p.pages[pg.number] = pg
	p.queue = append(p.queue, pg.number)
	return pg, nil
}

// Who waits for the lock asks once more for what the other has just been given.

type pass struct{ until int }

func (p *pass) valid() bool { return p != nil && p.until > 0 }

type office interface {
	renew(ctx context.Context, old *pass) (*pass, error)
}

type Passes struct {
	office office
	mu     sync.RWMutex
	pass   *pass
}

func (p *Passes) current() (*pass, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.pass, p.pass.valid()
}

func (p *Passes) Get(ctx context.Context) (*pass, error) {
	if now, ok := p.current(); ok { // want `both pass the test of p.pass \(in p.current\) and both set it`
		return now, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now, err := p.office.renew(ctx, p.pass)
	if err != nil {
		return nil, err
	}
	p.pass = now
	return now, nil
}

// The goroutine ends it, and so does who has it.

type Feed struct {
	mu    sync.Mutex
	ended chan struct{}
	lines int
	next  func() bool
}

func NewFeed(next func() bool) *Feed {
	f := &Feed{next: next, ended: make(chan struct{})}
	go f.pull()
	return f
}

func (f *Feed) pull() {
	for f.next() {
		f.mu.Lock()
		f.lines++
		f.mu.Unlock()
	}
	f.finish()
}

func (f *Feed) finish() {
	if f.ended != nil { // want `both pass the test of f.ended and close f.ended twice`
		close(f.ended)
		f.ended = nil
	}
}

func (f *Feed) Ended() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ended
}

func (f *Feed) Stop() { f.finish() }

// What is made once for the package: functions that load it are no constructors, for they
// take the package's lock.

var shelf struct {
	sync.RWMutex
	atlas *atlas
}

type atlas struct{ maps int }

func readAtlas() (*atlas, error) { return &atlas{}, nil }

func ForgetAtlas() {
	shelf.Lock()
	defer shelf.Unlock()
	shelf.atlas = nil
}

func LoadAtlas() (*atlas, error) { return keptAtlas() }

func keptAtlas() (*atlas, error) {
	shelf.RLock()
	a := shelf.atlas // want `both pass the test of shelf.atlas and both set it`
	shelf.RUnlock()
	if a != nil {
		return a, nil
	}
	shelf.Lock()
	defer shelf.Unlock()
	a, err := readAtlas()
	if err != nil {
		return nil, err
	}
	shelf.atlas = a
	return a, nil
}
