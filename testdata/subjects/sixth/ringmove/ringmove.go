// Package ringmove moves hash slots between the nodes of a cluster.
package ringmove

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
	"time"
)

var ErrNotOwner = errors.New("ringmove: source does not own slot")

// Ownership is where the slot map lives.
type Ownership interface {
	Owner(slot int) string
	Assign(slot int, node string)
	Load() map[string]int
}

// Mover copies the contents of a slot and drops what a node no longer owns.
type Mover interface {
	Copy(ctx context.Context, slot int, from, to string) error
	Drop(ctx context.Context, slot int, node string) error
}

type table struct {
	rw    sync.RWMutex
	owner []string
}

func NewTable(slots int, first string) Ownership {
	t := &table{owner: make([]string, slots)}
	for i := range t.owner {
		t.owner[i] = first
	}
	return t
}

func (t *table) Owner(slot int) string {
	t.rw.RLock()
	defer t.rw.RUnlock()
	return t.owner[slot]
}

func (t *table) Assign(slot int, node string) {
	t.rw.Lock()
	defer t.rw.Unlock()
	t.owner[slot] = node
}

func (t *table) Load() map[string]int {
	t.rw.RLock()
	defer t.rw.RUnlock()
	out := make(map[string]int)
	for _, n := range t.owner {
		out[n]++
	}
	return out
}

type Rebalancer struct {
	slots int
	own   Ownership
	mv    Mover
	nodes func() []string
}

func NewRebalancer(ctx context.Context, slots int, own Ownership, mv Mover, nodes func() []string) *Rebalancer {
	r := &Rebalancer{slots: slots, own: own, mv: mv, nodes: nodes}
	go r.loop(ctx)
	return r
}

// Migrate hands a slot from one node to another. It serves the admin API too.
func (r *Rebalancer) Migrate(ctx context.Context, slot int, from, to string) error {
	if slot < 0 || slot >= r.slots {
		return fmt.Errorf("ringmove: slot %d out of range", slot)
	}
	if from == to {
		return nil
	}
	if cur := r.own.Owner(slot); cur != from {
		return fmt.Errorf("slot %d is at %s: %w", slot, cur, ErrNotOwner)
	}
	if err := r.mv.Copy(ctx, slot, from, to); err != nil {
		return fmt.Errorf("copy slot %d: %w", slot, err)
	}
	r.own.Assign(slot, to)
	if err := r.mv.Drop(ctx, slot, from); err != nil {
		log.Printf("ringmove: slot %d left over at %s: %v", slot, from, err)
	}
	return nil
}

func (r *Rebalancer) loop(ctx context.Context) {
	tick := time.NewTicker(30 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		from, to, gap := r.extremes()
		if gap < 2 {
			continue
		}
		for slot := range r.slots {
			if r.own.Owner(slot) != from {
				continue
			}
			if err := r.Migrate(ctx, slot, from, to); err != nil {
				log.Printf("ringmove: %v", err)
			}
			break
		}
	}
}

func (r *Rebalancer) extremes() (most, least string, gap int) {
	load := r.own.Load()
	for i, n := range r.nodes() {
		c := load[n]
		if i == 0 {
			most, least = n, n
			continue
		}
		if c > load[most] {
			most = n
		}
		if c < load[least] {
			least = n
		}
	}
	return most, least, load[most] - load[least]
}
