package doubt

import "sync"

// Loop runs what it is sent, one after the other: what these functions use is
// the loop's own.
type Loop struct {
	mu      sync.Mutex
	ops     chan *op
	members map[string]int
}

type op struct {
	f    func()
	done chan struct{}
}

func NewLoop() *Loop {
	l := &Loop{ops: make(chan *op), members: map[string]int{}}
	go l.serve()
	return l
}

func (l *Loop) serve() {
	for o := range l.ops {
		o.f()
		close(o.done)
	}
}

func (l *Loop) do(f func()) {
	o := &op{f: f, done: make(chan struct{})}
	l.ops <- o
	<-o.done
}

func (l *Loop) Join(name string) {
	l.do(func() {
		l.admit(name)
	})
}

func (l *Loop) Leave(name string) {
	l.do(func() {
		if _, ok := l.members[name]; ok {
			l.forget(name)
			delete(l.members, name)
		}
	})
}

func (l *Loop) admit(name string) {
	if l.members[name] == 0 {
		l.forget(name)
		l.members[name] = len(name)
	}
}

func (l *Loop) forget(string) {}
