// Package nodehealth tracks which cluster nodes are alive.
package nodehealth

import (
	"context"
	"log"
	"sync"
	"time"
)

type State int

const (
	Unknown State = iota
	Alive
	Suspect
	Dead
	Left
)

func (s State) String() string {
	return [...]string{"unknown", "alive", "suspect", "dead", "left"}[s]
}

type node struct {
	state    State
	lastSeen time.Time
	changes  int
}

type Config struct {
	Interval     time.Duration
	SuspectAfter time.Duration
	DeadAfter    time.Duration
	OnChange     func(id string, from, to State)
}

type Membership struct {
	cfg Config

	lk    sync.Mutex
	nodes map[string]*node
}

func Start(ctx context.Context, cfg Config) *Membership {
	if cfg.OnChange == nil {
		cfg.OnChange = func(id string, from, to State) {
			log.Printf("node %s: %v -> %v", id, from, to)
		}
	}
	m := &Membership{cfg: cfg, nodes: make(map[string]*node)}
	go m.run(ctx)
	return m
}

func (m *Membership) run(ctx context.Context) {
	t := time.NewTicker(m.cfg.Interval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-t.C:
			m.sweep(now)
		}
	}
}

// Heartbeat records a sign of life. A node that left must Join again.
func (m *Membership) Heartbeat(id string) bool {
	m.lk.Lock()
	defer m.lk.Unlock()
	n := m.nodes[id]
	if n == nil || n.state == Left || n.state == Dead {
		return false
	}
	n.state, n.lastSeen = Alive, time.Now()
	return true
}

func (m *Membership) Join(id string) {
	m.lk.Lock()
	defer m.lk.Unlock()
	m.nodes[id] = &node{state: Alive, lastSeen: time.Now()}
}

func (m *Membership) Leave(id string) { m.setState(id, Left) }

func (m *Membership) ids() []string {
	m.lk.Lock()
	defer m.lk.Unlock()
	out := make([]string, 0, len(m.nodes))
	for id := range m.nodes {
		out = append(out, id)
	}
	return out
}

func (m *Membership) stateOf(id string) (State, time.Time) {
	m.lk.Lock()
	defer m.lk.Unlock()
	if n, ok := m.nodes[id]; ok {
		return n.state, n.lastSeen
	}
	return Unknown, time.Time{}
}

func (m *Membership) setState(id string, to State) {
	m.lk.Lock()
	n, ok := m.nodes[id]
	if !ok || n.state == to {
		m.lk.Unlock()
		return
	}
	from := n.state
	n.state = to
	n.changes++
	m.lk.Unlock()
	m.cfg.OnChange(id, from, to)
}

func (m *Membership) sweep(now time.Time) {
	for _, id := range m.ids() {
		st, seen := m.stateOf(id)
		idle := now.Sub(seen)
		switch st {
		case Alive:
			if idle > m.cfg.SuspectAfter {
				m.setState(id, Suspect)
			}
		case Suspect:
			if idle > m.cfg.DeadAfter {
				m.setState(id, Dead)
			}
		}
	}
}
