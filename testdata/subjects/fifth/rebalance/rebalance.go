// Package rebalance moves partitions between the nodes of a cluster.
package rebalance

import (
	"cmp"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"
)

var ErrNoNodes = errors.New("rebalance: no nodes")

type node struct {
	name  string
	parts []int
	seen  time.Time
}

// Move is one step of a plan.
type Move struct {
	Part     int
	From, To string
}

type Cluster struct {
	log  *slog.Logger
	dead time.Duration

	topo  sync.Mutex
	nodes map[string]*node
	epoch uint64
}

func New(log *slog.Logger, dead time.Duration) *Cluster {
	return &Cluster{log: log, dead: dead, nodes: make(map[string]*node)}
}

// Heartbeat notes that a node lives; a new one joins without partitions.
func (c *Cluster) Heartbeat(name string) {
	c.topo.Lock()
	defer c.topo.Unlock()
	n, ok := c.nodes[name]
	if !ok {
		n = &node{name: name}
		c.nodes[name] = n
		c.epoch++
	}
	n.seen = time.Now()
}

// Assign gives partitions that nobody has to the least loaded nodes.
func (c *Cluster) Assign(parts ...int) error {
	c.topo.Lock()
	defer c.topo.Unlock()
	for _, p := range parts {
		to := c.lightest()
		if to == "" {
			return ErrNoNodes
		}
		c.give(to, p)
	}
	return nil
}

// Rebalance evens out the load, and empties nodes that have not been seen.
func (c *Cluster) Rebalance(now time.Time) []Move {
	c.topo.Lock()
	defer c.topo.Unlock()
	var moves []Move
	for name, n := range c.nodes {
		if now.Sub(n.seen) <= c.dead {
			continue
		}
		c.log.Warn("node is lost", "node", name, "partitions", len(n.parts))
		delete(c.nodes, name)
		c.epoch++
		for _, p := range n.parts {
			to := c.lightest()
			if to == "" {
				c.log.Error("partition has no home", "partition", p)
				continue
			}
			c.give(to, p)
			moves = append(moves, Move{Part: p, From: name, To: to})
		}
	}
	for m, ok := c.shift(); ok; m, ok = c.shift() {
		moves = append(moves, m)
	}
	return moves
}

// shift moves one partition from the heaviest node to the lightest, if that helps.
func (c *Cluster) shift() (Move, bool) {
	from, to := c.heaviest(), c.lightest()
	if from == "" || c.load(from)-c.load(to) < 2 {
		return Move{}, false
	}
	src := c.nodes[from]
	p := src.parts[len(src.parts)-1]
	src.parts = src.parts[:len(src.parts)-1]
	c.give(to, p)
	return Move{Part: p, From: from, To: to}, true
}

func (c *Cluster) load(name string) int { return len(c.nodes[name].parts) }

func (c *Cluster) give(name string, part int) {
	n := c.nodes[name]
	n.parts = append(n.parts, part)
	c.epoch++
}

func (c *Cluster) pick(order func(a, b *node) int) string {
	var best *node
	for _, n := range c.nodes {
		if best == nil || cmp.Or(order(n, best), cmp.Compare(n.name, best.name)) < 0 {
			best = n
		}
	}
	if best == nil {
		return ""
	}
	return best.name
}

func (c *Cluster) lightest() string {
	return c.pick(func(a, b *node) int { return len(a.parts) - len(b.parts) })
}

func (c *Cluster) heaviest() string {
	return c.pick(func(a, b *node) int { return len(b.parts) - len(a.parts) })
}

// Table copies the assignment.
func (c *Cluster) Table() (uint64, map[string][]int) {
	c.topo.Lock()
	defer c.topo.Unlock()
	out := make(map[string][]int, len(c.nodes))
	for name, n := range c.nodes {
		out[name] = slices.Sorted(slices.Values(n.parts))
	}
	return c.epoch, out
}
