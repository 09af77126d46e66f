package broken

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Shop says the same things in other words than most.
type Shop struct {
	mu     sync.Mutex
	orders map[string]*order
	gate   chan struct{}
	bell   chan struct{}
	opened atomic.Bool
}

type order struct{ n int }

var errShopOpen = errors.New("open")

func NewShop() *Shop {
	return &Shop{orders: map[string]*order{}, gate: make(chan struct{}), bell: make(chan struct{})}
}

// Register compares the other way round, and calls its receiver something else.
func (s *Shop) Register(name string, o *order) error {
	shop := s
	shop.mu.Lock()
	there := shop.orders[name] // want `s.mu is released in between`
	shop.mu.Unlock()
	if nil != there {
		return errShopOpen
	}
	s.mu.Lock()
	s.orders[name] = o
	s.mu.Unlock()
	return nil
}

// closedNow tells whether the gate is closed.
func (s *Shop) closedNow() bool {
	select {
	case <-s.gate:
		return true
	default:
		return false
	}
}

// CloseGate compares with false.
func (s *Shop) CloseGate() {
	if s.closedNow() == false { // want `both find s.gate open and close it twice`
		close(s.gate)
	}
}

// Open gives the condition a name, and says no to the opposite.
func (s *Shop) Open() error {
	already := !(s.opened.Load() == false) // want `both pass the test of s.opened and both set it`
	if already {
		return errShopOpen
	}
	s.opened.Store(true)
	go s.serve()
	return nil
}

func (s *Shop) serve() {}

// Ring gives the channel a name before it closes it.
func (s *Shop) Ring() {
	select {
	case <-s.bell: // want `both find s.bell open and close it twice`
	default:
		bell := s.bell
		close(bell)
	}
}

// Parcels are sent until they are stopped.
type Parcels struct {
	end  chan struct{}
	done atomic.Bool
}

// Stop does what it does once in a function without branches.
func (p *Parcels) Stop() {
	if !p.done.Load() { // want `both pass the test of p.done and close p.end twice`
		p.finish()
	}
}

func (p *Parcels) finish() {
	p.done.Store(true)
	close(p.end)
}

// Crew has shifts, which end when the last one leaves.
type Crew struct {
	mu     sync.Mutex
	shifts map[string]*shift
}

type shift struct {
	name  string
	users atomic.Int32
}

func (x *shift) use() { x.users.Add(1) }

func (c *Crew) Join(name string) *shift {
	c.mu.Lock()
	defer c.mu.Unlock()
	x, ok := c.shifts[name]
	if !ok {
		x = &shift{name: name}
		c.shifts[name] = x
	}
	x.use()
	return x
}

func (c *Crew) Leave(x *shift) {
	if x.users.Add(-1) > 0 { // want `x.users has fallen to zero, but another goroutine can find the object in c.shifts and count itself in`
		return
	}
	c.mu.Lock()
	delete(c.shifts, x.name)
	c.mu.Unlock()
}

// Log returns by a name what it has looked up.
type Log struct {
	mu    sync.Mutex
	lines []string
}

func (l *Log) Size() int {
	l.mu.Lock()
	n := len(l.lines)
	l.mu.Unlock()
	return n
}

func (l *Log) Line(i int) string {
	l.mu.Lock()
	line := l.lines[i]
	l.mu.Unlock()
	return line
}

func (l *Log) Cut(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append([]string(nil), l.lines[n:]...)
}

func (l *Log) All() (all []string) {
	for i := 0; i < l.Size(); i++ { // want `Log.lines is asked how long it is`
		all = append(all, l.Line(i))
	}
	return all
}
