package broken

import (
	"maps"
	"sync"
	"sync/atomic"
)

type listener struct {
	known map[string]int
	news  chan string
}

type Board struct {
	mu        sync.Mutex
	notes     map[string]int
	version   int
	listeners []*listener
	calls     map[int]func(int)
}

func (b *Board) Pin(note string, at int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes[note] = at
	for _, l := range b.listeners {
		l.news <- note
	}
}

func (b *Board) all() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.notes)
}

// Listen hears nothing of what is pinned between the two.
func (b *Board) Listen() *listener {
	l := &listener{news: make(chan string, 1)}
	l.known = b.all() // want `b.notes is looked at in an earlier critical section than the one that adds to b.listeners: what \(\*Board\).Pin changes in between is neither seen nor told`
	b.mu.Lock()
	b.listeners = append(b.listeners, l)
	b.mu.Unlock()
	return l
}

func (b *Board) Raise(by int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.version += by
	for _, call := range b.calls {
		call(b.version)
	}
}

// OnRaise does both itself, in the wrong order.
func (b *Board) OnRaise(id int, call func(int)) int {
	b.mu.Lock()
	version := b.version // want `b.version is looked at in an earlier critical section than the one that adds to b.calls`
	b.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls[id] = call
	return version
}

// Each tells of all there are, and of those to come.
func (b *Board) Each(tell func(string), until <-chan struct{}) {
	l := &listener{news: make(chan string, 1)}
	notes := b.all() // want `b.notes is looked at in an earlier critical section than the one that adds to b.listeners`
	b.mu.Lock()
	b.listeners = append(b.listeners, l)
	b.mu.Unlock()
	for note := range notes {
		tell(note)
	}
	for {
		select {
		case note := <-l.news:
			tell(note)
		case <-until:
			return
		}
	}
}

// An UntoldSettings tells those who watch of its settings.
type UntoldSettings struct {
	now     atomic.Pointer[string]
	mu      sync.Mutex
	watches []func(*string)
	label   string
	labels  []func(string)
}

func (s *UntoldSettings) Set(v string) {
	s.now.Store(&v)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.watches {
		w(&v)
	}
}

func (s *UntoldSettings) Watch(f func(*string)) {
	f(s.now.Load()) // want `s.now is looked at before the critical section that adds to s.watches: what \(\*UntoldSettings\).Set changes in between is neither seen nor told`
	s.mu.Lock()
	s.watches = append(s.watches, f)
	s.mu.Unlock()
}

func (s *UntoldSettings) SetLabel(v string) {
	s.mu.Lock()
	s.label = v
	list := s.labels
	s.mu.Unlock()
	for _, l := range list {
		l(v)
	}
}

func (s *UntoldSettings) WatchLabel(f func(string)) {
	s.mu.Lock()
	label := s.label // want `s.label is looked at in an earlier critical section than the one that adds to s.labels`
	s.mu.Unlock()
	f(label)
	s.mu.Lock()
	s.labels = append(s.labels, f)
	s.mu.Unlock()
}
