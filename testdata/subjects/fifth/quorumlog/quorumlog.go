// Package quorumlog computes the commit index of a replicated log from the acks of its members.
package quorumlog

import (
	"fmt"
	"log/slog"
	"slices"
	"sync"
)

type Member struct {
	Name  string
	Voter bool
}

type progress struct {
	Member
	match uint64
	acks  int
}

// Listener is told of each new commit index. It may call back into the Group.
type Listener func(commit uint64)

type Group struct {
	logger *slog.Logger

	state     sync.Mutex
	members   map[string]*progress
	listeners []Listener
	commit    uint64
}

func NewGroup(logger *slog.Logger, members ...Member) *Group {
	g := &Group{logger: logger, members: make(map[string]*progress, len(members))}
	for _, m := range members {
		g.members[m.Name] = &progress{Member: m}
	}
	return g
}

func (g *Group) Subscribe(l Listener) {
	g.state.Lock()
	defer g.state.Unlock()
	g.listeners = append(g.listeners, l)
}

// Ack records that a member has everything up to index.
func (g *Group) Ack(name string, index uint64) error {
	g.state.Lock()
	defer g.state.Unlock()
	p, ok := g.members[name]
	if !ok {
		return fmt.Errorf("quorumlog: unknown member %q", name)
	}
	p.acks++
	if index <= p.match {
		return nil
	}
	p.match = index

	commit := g.majority()
	if commit <= g.commit {
		return nil
	}
	g.logger.Debug("commit moves", "from", g.commit, "to", commit)
	g.announce(commit)
	g.commit = commit
	return nil
}

// majority is the highest index that more than half of the voters have.
func (g *Group) majority() uint64 {
	var have []uint64
	for _, p := range g.members {
		if p.Voter {
			have = append(have, p.match)
		}
	}
	if len(have) == 0 {
		return 0
	}
	slices.Sort(have)
	return have[(len(have)-1)/2]
}

// announce runs the listeners without the group's lock, since they may call back.
func (g *Group) announce(commit uint64) {
	ls := slices.Clone(g.listeners)
	g.state.Unlock()
	defer g.state.Lock()
	for _, l := range ls {
		l(commit)
	}
}

// Committed is what readers may see.
func (g *Group) Committed() uint64 {
	g.state.Lock()
	defer g.state.Unlock()
	return g.commit
}

// Remove takes a member out of the group; its acks count no more.
func (g *Group) Remove(name string) {
	g.state.Lock()
	defer g.state.Unlock()
	delete(g.members, name)
}
