package notifier

import (
	"slices"
	"sync"
)

type Change struct {
	Key      string
	Old, New string
}

// Func may still be called shortly after its cancel function has returned.
type Func func(Change)

type sub struct {
	id int
	fn Func
}

type Notifier struct {
	mu   sync.Mutex
	subs []sub
	seq  int
}

func New() *Notifier { return new(Notifier) }

func (n *Notifier) Subscribe(fn Func) (cancel func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seq++
	id := n.seq
	n.subs = append(n.subs, sub{id: id, fn: fn})
	return func() { n.remove(id) }
}

func (n *Notifier) remove(id int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.subs = slices.DeleteFunc(n.subs, func(s sub) bool { return s.id == id })
}

func (n *Notifier) Publish(c Change) {
	n.mu.Lock()
	subs := slices.Clone(n.subs)
	n.mu.Unlock()
	for _, s := range subs {
		s.fn(c)
	}
}
