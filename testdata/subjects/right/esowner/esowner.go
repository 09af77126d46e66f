// Package esowner has members that one goroutine alone changes; it may read them without the lock.
package esowner

import (
	"sync"
	"time"
)

// Group changes its members in its loop.
type Group struct {
	mu      sync.RWMutex
	members map[string]time.Time
	beats   chan string
	lost    func(string)
}

// New starts the loop.
func New(lost func(string)) *Group {
	g := &Group{members: map[string]time.Time{}, beats: make(chan string), lost: lost}
	go g.loop()
	return g
}

// Beat tells of a member.
func (g *Group) Beat(name string) { g.beats <- name }

// Has says whether there is one.
func (g *Group) Has(name string) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	_, ok := g.members[name]
	return ok
}

// own is for the loop.
func (g *Group) own() map[string]time.Time {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.members
}

func (g *Group) put(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members[name] = time.Now()
}

func (g *Group) drop(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.members, name)
}

func (g *Group) loop() {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case name := <-g.beats:
			g.put(name)
		case <-tick.C:
			for name, at := range g.own() {
				if time.Since(at) > time.Minute {
					g.drop(name)
					g.lost(name)
				}
			}
		}
	}
}
