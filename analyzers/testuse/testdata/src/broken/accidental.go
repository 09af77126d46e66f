package broken

import (
	"sync"
	"sync/atomic"
)

// What follows is plain, and was missed for reasons that had nothing to do with it.

type options struct {
	revision int
	peers    []string
}

// A Reloader keeps a struct whose fields are read one by one, and which is stored whole.
type Reloader struct {
	mu  sync.RWMutex
	now options
}

func (r *Reloader) Now() options {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.now
}

func (r *Reloader) Apply(o options) {
	if o.revision <= r.now.revision { // want `two goroutines can both pass the test of r.now and both set it: r.mu is taken only afterwards`
		return
	}
	r.mu.Lock()
	r.now = o
	r.mu.Unlock()
}

func (r *Reloader) ApplyLater(o options) {
	r.mu.Lock()
	old := o.revision <= r.now.revision // want `two goroutines can both pass the test of r.now and both set it: r.mu is released in between`
	r.mu.Unlock()
	if old {
		return
	}
	r.mu.Lock()
	r.now = o
	r.mu.Unlock()
}

// mails are given to several goroutines by way of an object of each.
type mails struct {
	sync.Mutex
	list []string
}

func (m *mails) add(s string) {
	m.Lock()
	defer m.Unlock()
	m.list = append(m.list, s)
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

func newPostman(m *mails, send func(string)) *postman {
	return &postman{mails: m, send: send}
}

func Deliver(n int, send func(string)) func(string) {
	m := &mails{}
	for range n {
		p := newPostman(m, send)
		go p.walk()
	}
	return m.add
}

func (p *postman) walk() {
	for p.next() {
	}
}

func (p *postman) next() bool {
	if p.mails.size() == 0 { // want `two goroutines can both pass the test of p.mails.list \(in p.mails.size\) and both set it: p.mails.Mutex is released in between`
		return false
	}
	p.send(p.mails.first())
	return true
}

// Series gives names numbers of its own.
type Series struct {
	mu   sync.RWMutex
	ids  map[string]uint64
	last uint64
}

func (s *Series) ID(name string) uint64 {
	s.mu.RLock()
	id, ok := s.ids[name] // want `two goroutines can both pass the test of s.ids\[name\] and both set it: s.mu is held for reading first`
	s.mu.RUnlock()
	if ok {
		return id
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.ids[name] = s.last
	return s.last
}

// Family keeps one of each that a function makes which is not told what it is for.
type Family[T any] struct {
	sync.RWMutex
	members map[string]*T
	create  func() *T
}

func (f *Family[T]) With(name string) *T {
	f.RLock()
	m := f.members[name] // want `two goroutines can both pass the test of f.members\[name\] and both set it: f.RWMutex is held for reading first`
	f.RUnlock()
	if m != nil {
		return m
	}
	f.Lock()
	m = f.create()
	f.members[name] = m
	f.Unlock()
	return m
}

type tally struct{ n atomic.Int64 }

func NewFamily() *Family[tally] {
	return &Family[tally]{members: map[string]*tally{}, create: func() *tally { return new(tally) }}
}

// An Attendant waits for whom it has told.
type Attendant struct {
	mu   sync.Mutex
	off  bool
	quit chan struct{}
	gone chan struct{}
}

func (a *Attendant) isOff() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.off
}

func (a *Attendant) Stop() {
	if a.isOff() { // want `two goroutines can both pass the test of a.off \(in a.isOff\) and close a.quit twice: a.mu is released in between`
		return
	}
	close(a.quit)
	<-a.gone
	a.mu.Lock()
	a.off = true
	a.mu.Unlock()
}

// An Index is a map of maps.
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
	return x.all[name]
}

func (x *Index) Sum(name string) (n int) {
	of := x.values(name) // want `of is the map Index.all\[\] itself, not a copy; it is used after x.mu was released, while others change it`
	for _, v := range of {
		n += v
	}
	return n
}
