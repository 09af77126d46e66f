package broken

import (
	"sync"
	"sync/atomic"
)

type Bell struct {
	mu   sync.Mutex
	next int
	subs map[int]func()
}

func (b *Bell) On(f func()) (cancel func()) {
	b.mu.Lock()
	id := b.next // want `two goroutines can both read b.next before either counts it up, and go on with the same number: b.mu is released in between`
	b.mu.Unlock()
	b.mu.Lock()
	b.next++
	b.subs[id] = f
	b.mu.Unlock()
	return func() {
		b.mu.Lock()
		delete(b.subs, id)
		b.mu.Unlock()
	}
}

type link struct {
	next *link
	v    int
}

type Chain struct {
	mu   sync.Mutex
	head *link
}

func (c *Chain) Push(v int) {
	c.mu.Lock()
	head := c.head // want `two goroutines can both read c.head before either stores it, and one update is lost: c.mu is released in between`
	c.mu.Unlock()
	x := &link{next: head, v: v}
	c.mu.Lock()
	c.head = x
	c.mu.Unlock()
}

type Ticks struct{ n atomic.Int64 }

func (t *Ticks) Tick() { t.n.Add(1) }

func (t *Ticks) Flush(emit func(int64)) {
	emit(t.n.Load()) // want `two goroutines can both read t.n before either stores it, and one update is lost: two atomic operations are not one`
	t.n.Store(0)
}

// A Till is locked by a channel.
type Till struct {
	key chan struct{}
	sum int
}

func NewTill() *Till { return &Till{key: make(chan struct{}, 1)} }

func (t *Till) get() int {
	t.key <- struct{}{}
	defer func() { <-t.key }()
	return t.sum
}

func (t *Till) set(n int) {
	t.key <- struct{}{}
	t.sum = n
	<-t.key
}

func (t *Till) Add(n int) {
	t.set(t.get() + n) // want `two goroutines can both read t.sum \(in t.get\) before either stores it, and one update is lost: t.key is released in between`
}

// A Spawner numbers its children, and counts on when one is there.
type Spawner struct {
	mu    sync.Mutex
	index int
	out   chan child
}

type child struct {
	Name       string
	ChildIndex int32
}

func (s *Spawner) current() int { return s.index }

func (s *Spawner) countOn() {
	s.mu.Lock()
	s.index++
	s.mu.Unlock()
}

func (s *Spawner) Spawn(name string, start func(child) error) error {
	err := start(child{
		Name:       name,
		ChildIndex: int32(s.current()), // want `two goroutines can both read s.index \(in s.current\) before either counts it up, and go on with the same number: s.mu is taken only then`
	})
	if err != nil {
		return err
	}
	s.countOn()
	return nil
}

// A Footbridge numbers its visitors by twos.
type Footbridge struct {
	mu    sync.Mutex
	turn  uint32
	chans map[uint32]chan error
}

func (w *Footbridge) Enter() chan error {
	turn := w.turn // want `two goroutines can both read w.turn before either counts it up, and go on with the same number: w.mu is taken only then`
	w.mu.Lock()
	if w.turn > 1<<30 {
		w.turn = w.turn - 1<<30
	} else {
		w.turn = w.turn + 2
	}
	w.mu.Unlock()
	c := make(chan error)
	w.chans[turn] = c
	return c
}
