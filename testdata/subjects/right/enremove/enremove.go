// Package enremove watches peers; one that has left is in the table no more.
package enremove

import (
	"sync"
	"sync/atomic"
	"time"
)

type health int

const (
	gone health = iota
	alive
	suspect
)

type peer struct {
	health health
	seen   time.Time
	bye    chan struct{}
}

// Peers are known by numbers which are never used again.
type Peers struct {
	mu   sync.Mutex
	last atomic.Uint64
	all  map[uint64]*peer
}

// New starts the watch.
func New() *Peers {
	p := &Peers{all: map[uint64]*peer{}}
	go p.watch()
	return p
}

// Join adds one.
func (p *Peers) Join() uint64 {
	id := p.last.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all[id] = &peer{health: alive, seen: time.Now(), bye: make(chan struct{})}
	return id
}

// Leave takes it out, and sets it gone for those who have it still.
func (p *Peers) Leave(id uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.all[id]; ok {
		e.health = gone
		delete(p.all, id)
		close(e.bye)
	}
}

func (p *Peers) healthOf(id uint64) (health, time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.all[id]; ok {
		return e.health, e.seen
	}
	return gone, time.Time{}
}

func (p *Peers) setHealth(id uint64, h health) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.all[id]; ok {
		e.health = h
	}
}

func (p *Peers) watch() {
	for range time.Tick(time.Second) {
		for id := uint64(1); id <= p.last.Load(); id++ {
			if h, seen := p.healthOf(id); h == alive && time.Since(seen) > time.Minute {
				p.setHealth(id, suspect)
			}
		}
	}
}
