// Package affinity remembers which backend served a client last, so that a
// proxy can send the client there again.
package affinity

import (
	"hash/fnv"
	"net/netip"
	"sync"
	"time"
)

const shards = 16

type stick struct {
	backend string
	until   time.Time
	uses    int
}

type shard struct {
	sync.RWMutex
	entries map[netip.Addr]stick
}

func (sh *shard) expire(now time.Time, budget int) {
	for a, e := range sh.entries {
		if budget == 0 {
			return
		}
		budget--
		if now.After(e.until) {
			delete(sh.entries, a)
		}
	}
}

// Chooser picks a backend for a client that has none.
type Chooser func(client netip.Addr) (string, error)

type Table struct {
	ttl    time.Duration
	choose Chooser
	shards [shards]shard
}

func New(ttl time.Duration, choose Chooser) *Table {
	t := &Table{ttl: ttl, choose: choose}
	for i := range t.shards {
		t.shards[i].entries = make(map[netip.Addr]stick)
	}
	return t
}

func (t *Table) shardOf(a netip.Addr) *shard {
	h := fnv.New32a()
	b := a.As16()
	h.Write(b[:])
	return &t.shards[h.Sum32()%shards]
}

// Backend returns where the client is pinned, without choosing anew.
func (t *Table) Backend(client netip.Addr) (string, bool) {
	now := time.Now()
	sh := t.shardOf(client)
	sh.RLock()
	defer sh.RUnlock()
	e, ok := sh.entries[client]
	if !ok {
		return "", false
	}
	if now.After(e.until) {
		sh.expire(now, 8)
		return "", false
	}
	e.uses++
	e.until = now.Add(t.ttl)
	sh.entries[client] = e
	return e.backend, true
}

// Route returns the pinned backend of the client, pinning one if needed.
func (t *Table) Route(client netip.Addr) (string, error) {
	if b, ok := t.Backend(client); ok {
		return b, nil
	}
	b, err := t.choose(client)
	if err != nil {
		return "", err
	}
	sh := t.shardOf(client)
	sh.Lock()
	defer sh.Unlock()
	now := time.Now()
	if e, ok := sh.entries[client]; ok && now.Before(e.until) {
		return e.backend, nil
	}
	sh.entries[client] = stick{backend: b, until: now.Add(t.ttl), uses: 1}
	return b, nil
}

// Sweep drops every stale entry and returns how many remain.
func (t *Table) Sweep() (left int) {
	now := time.Now()
	for i := range t.shards {
		sh := &t.shards[i]
		sh.Lock()
		sh.expire(now, -1)
		left += len(sh.entries)
		sh.Unlock()
	}
	return left
}
