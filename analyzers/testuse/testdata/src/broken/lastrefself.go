package broken

import (
	"sync"
	"sync/atomic"
)

type named struct {
	users uint32
	sync.Mutex
}

func (n *named) try() bool { return n.TryLock() }

// Names has a lock for each name that somebody uses.
type Names struct {
	mu    sync.Mutex
	locks map[string]*named
}

// The one who finds it and the one who removes it run the same function.
func (n *Names) Lock(name string) bool {
	n.mu.Lock()
	l, ok := n.locks[name]
	if !ok {
		l = &named{}
		n.locks[name] = l
	}
	atomic.AddUint32(&l.users, 1)
	n.mu.Unlock()
	locked := l.try()
	if !locked {
		if atomic.AddUint32(&l.users, ^uint32(0)) == 0 { // want `l.users has fallen to zero, but another goroutine can find the object in n.locks and count itself in, in \(\*Names\).Lock, before n.mu is taken here`
			n.mu.Lock()
			delete(n.locks, name)
			n.mu.Unlock()
		}
	}
	return locked
}

type promise struct{ users int32 }

// Promises keeps a promise as long as somebody waits for it.
type Promises struct {
	mu    sync.Mutex
	byKey map[string]*promise
	keep  bool
}

func (s *Promises) Promise(key string) (*promise, func()) {
	s.mu.Lock()
	p, ok := s.byKey[key]
	if !ok {
		p = &promise{}
		s.byKey[key] = p
	}
	atomic.AddInt32(&p.users, 1)
	s.mu.Unlock()
	release := func() {
		if atomic.AddInt32(&p.users, -1) == 0 && !s.keep { // want `p.users has fallen to zero, but another goroutine can find the object in s.byKey`
			s.mu.Lock()
			delete(s.byKey, key)
			s.mu.Unlock()
		}
	}
	return p, release
}
