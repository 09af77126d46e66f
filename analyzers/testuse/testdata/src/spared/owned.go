package spared

import (
	"sync"
	"sync/atomic"
)

// A Pointer is used by one goroutine, as its plain fields tell; the count is for
// those who look on.
type Pointer struct {
	left       atomic.Int64
	at, window int
}

func (c *Pointer) Next(n int) bool {
	if c.left.Load() < int64(n) {
		return false
	}
	c.left.Add(-int64(n))
	c.move(n)
	return true
}

func (c *Pointer) move(n int) { c.at += n; c.window = c.at / 2 }

type Budget struct {
	mu   sync.Mutex
	left atomic.Int64
	soft atomic.Int64
}

func (b *Budget) Take(n int64) bool {
	if b.left.Load() < n { // want `two goroutines can both pass the test of b.left and both add to it`
		return false
	}
	b.left.Add(-n)
	return true
}

// The amount is not compared with what is left.
func (b *Budget) Overdraw(n int64) bool {
	if b.soft.Load() > 0 {
		b.soft.Add(-n)
		return true
	}
	return false
}

type Limiter struct {
	mu     sync.Mutex
	tokens atomic.Int32
}

// The addition has the last word.
func (l *Limiter) Allow() bool {
	if l.tokens.Load() <= 0 {
		return false
	}
	return l.tokens.Add(-1) >= 0
}

type Announcer struct {
	told, made sync.Map
}

func (a *Announcer) Announce(name string, tell func(string) error) error {
	if _, ok := a.told.Load(name); !ok {
		if err := tell(name); err != nil {
			return err
		}
		a.told.Store(name, true)
	}
	return nil
}

func (a *Announcer) Queue(name string) chan string {
	if q, ok := a.made.Load(name); ok { // want `two goroutines can both pass the test of a.made\[name\] and both set it`
		return q.(chan string)
	}
	q := make(chan string)
	a.made.Store(name, q)
	return q
}

// What is found is not used: to delete it twice is to delete it once.
func (a *Announcer) Forget(name string) {
	if q, ok := a.made.Load(name); ok && q != nil {
		a.made.Delete(name)
	}
}

func (a *Announcer) End(name string) {
	if q, ok := a.made.Load(name); ok { // want `two goroutines can both pass the test of a.made\[name\] and close q.\(chan string\) twice`
		a.made.Delete(name)
		close(q.(chan string))
	}
}

type Outlet struct {
	done    atomic.Bool
	pending atomic.Int64
	out     chan int
}

// Close waits for those who have counted themselves in.
func (o *Outlet) Close() {
	if o.done.Swap(true) {
		return
	}
	for o.pending.Load() > 0 {
	}
	close(o.out)
}

func (o *Outlet) Send(v int) {
	o.pending.Add(1)
	defer o.pending.Add(-1)
	if o.done.Load() {
		return
	}
	o.out <- v
}

func (o *Outlet) Rush(v int) {
	if o.done.Load() { // want `o.out can be closed between the test of o.done and the send on it`
		return
	}
	o.out <- v
}

type Pump struct {
	mu     sync.Mutex
	active atomic.Int32
	queued atomic.Int32
}

func (p *Pump) Push() {
	p.queued.Add(1)
	p.drain()
}

// One goroutine at a time gets past the addition.
func (p *Pump) drain() {
	if p.active.Add(1) > 1 {
		return
	}
	go func() {
		for n := p.queued.Load(); n > 0; n = p.queued.Load() {
			work()
			p.queued.Add(-n + 1 - 1)
		}
		p.active.Store(0)
	}()
}

type Meter struct {
	mu  sync.Mutex
	max atomic.Int64
}

// Raise is **not** concurrent-safe.
func (m *Meter) Raise(to int64) { m.raise(to) }

func (m *Meter) raise(to int64) {
	if m.max.Load() < to {
		m.max.Store(to)
	}
}

type Peak struct {
	mu  sync.Mutex
	max atomic.Int64
}

func (m *Peak) Raise(to int64) {
	if m.max.Load() < to { // want `two goroutines can both pass the test of m.max and both set it`
		m.max.Store(to)
	}
}
