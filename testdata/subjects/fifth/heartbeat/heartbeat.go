package heartbeat

import (
	"cmp"
	"fmt"
	"log"
	"slices"
	"sync"
	"time"
)

type Status int

const (
	Alive Status = iota
	Suspected
	Gone
)

func (s Status) String() string {
	switch s {
	case Alive:
		return "alive"
	case Suspected:
		return "suspected"
	}
	return "gone"
}

type peer struct {
	name     string
	lastSeen time.Time
	status   Status
	missed   int
}

// Monitor keeps the liveness of the cluster's peers.
type Monitor struct {
	interval time.Duration
	notify   func(name string, s Status)

	peersMu sync.Mutex
	peers   map[string]*peer
}

func NewMonitor(interval time.Duration, notify func(string, Status)) *Monitor {
	return &Monitor{interval: interval, notify: notify, peers: make(map[string]*peer)}
}

// Beat is called by the transport for every heartbeat it reads.
func (m *Monitor) Beat(name string) {
	m.peersMu.Lock()
	defer m.peersMu.Unlock()
	p, ok := m.peers[name]
	if !ok {
		p = &peer{name: name}
		m.peers[name] = p
		log.Printf("peer %s joined", name)
	}
	p.lastSeen = time.Now()
	p.missed = 0
	p.status = Alive
}

// Suspect handles the report of another node that it cannot reach the peer.
func (m *Monitor) Suspect(name, reporter string) error {
	m.peersMu.Lock()
	p, ok := m.peers[name]
	m.peersMu.Unlock()
	if !ok {
		return fmt.Errorf("heartbeat: %s reported unknown peer %s", reporter, name)
	}
	quiet := time.Since(p.lastSeen)
	if quiet < m.interval {
		return nil
	}
	p.missed++
	if p.missed > 3 {
		p.status = Gone
	} else {
		p.status = Suspected
	}
	m.notify(name, p.status)
	return nil
}

type Report struct {
	Name   string
	Status Status
	Quiet  time.Duration
}

// Snapshot lists all peers by name.
func (m *Monitor) Snapshot() []Report {
	now := time.Now()
	m.peersMu.Lock()
	out := make([]Report, 0, len(m.peers))
	for _, p := range m.peers {
		out = append(out, Report{Name: p.name, Status: p.status, Quiet: now.Sub(p.lastSeen)})
	}
	m.peersMu.Unlock()
	slices.SortFunc(out, func(a, b Report) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
