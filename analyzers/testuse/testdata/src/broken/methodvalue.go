package broken

import (
	"slices"
	"sync"
)

type Waybill struct{ name string }

// A Signalbox hands its own method, as a value, to what goes through the waybills.
type Signalbox struct {
	mu   sync.RWMutex
	subs map[string]chan Waybill
	q    []Waybill
	fill func() []Waybill
}

func NewSignalbox(fill func() []Waybill) *Signalbox {
	return &Signalbox{subs: map[string]chan Waybill{}, fill: fill}
}

type waybillFunc func(Waybill) bool

func (c *Signalbox) process(e Waybill) bool {
	c.mu.RLock()
	sub, ok := c.subs[e.name] // want `sub can be closed by another goroutine once c.mu is released, and the send then panics`
	c.mu.RUnlock()
	if ok {
		sub <- e
	}
	return false
}

func (c *Signalbox) Run(stop <-chan struct{}) {
	go c.loop(stop)
}

func (c *Signalbox) loop(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
			slices.IndexFunc(c.fill(), waybillFunc(c.process))
		}
	}
}

func (c *Signalbox) unregister(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.subs[name]; !ok {
		panic("no " + name)
	}
	close(c.subs[name])
	delete(c.subs, name)
}

func (c *Signalbox) Wait(name string) Waybill {
	ch := c.register(name)
	defer c.unregister(name)
	return <-ch
}

func (c *Signalbox) register(name string) chan Waybill {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan Waybill)
	c.subs[name] = ch
	return ch
}

// A Lamplighter has its rounds called by a goroutine that is given them as a value, while others
// add lamps.
type Lamplighter struct {
	lock  sync.RWMutex
	lamps []*gaslamp
	next  int
}

type gaslamp struct{ lit bool }

func newLamplighter() *Lamplighter { return &Lamplighter{} }

func OpenLamplighter(ticks <-chan struct{}) *Lamplighter {
	l := newLamplighter()
	l.schedule(ticks)
	return l
}

func (l *Lamplighter) schedule(ticks <-chan struct{}) {
	go l.each(ticks, l.round)
}

func (l *Lamplighter) each(ticks <-chan struct{}, f func()) {
	for range ticks {
		f()
	}
}

func (l *Lamplighter) round() {
	if l.next >= len(l.lamps) { // want `another goroutine can change l.lamps after it was tested and before it is used: l.lock is taken only afterwards`
		l.next = 0
		return
	}
	l.lock.RLock()
	next := l.lamps[l.next]
	l.lock.RUnlock()
	l.next++
	next.lit = true
}

func (l *Lamplighter) Add() {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.lamps = append(l.lamps, &gaslamp{})
}

func (l *Lamplighter) Remove() {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.lamps = l.lamps[:len(l.lamps)/2]
}
