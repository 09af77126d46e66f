package peertable

import (
	"context"
	"sync"
	"time"
)

type Peer struct {
	Addr     string
	lastPing time.Time
}

type Table struct {
	mu    sync.RWMutex
	peers map[string]*Peer
	idle  time.Duration
}

func NewTable(ctx context.Context, idle time.Duration) *Table {
	t := &Table{peers: make(map[string]*Peer), idle: idle}
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(idle / 2):
				t.evictIdle()
			}
		}
	}()
	return t
}

func (t *Table) Ping(addr string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.peers[addr]
	if p == nil {
		p = &Peer{Addr: addr}
		t.peers[addr] = p
	}
	p.lastPing = time.Now()
}

func (t *Table) forget(addr string) {
	t.mu.Lock()
	delete(t.peers, addr)
	t.mu.Unlock()
}

func (t *Table) evictIdle() {
	var stale []string
	t.mu.RLock()
	for addr, p := range t.peers {
		if time.Since(p.lastPing) > t.idle {
			stale = append(stale, addr)
		}
	}
	t.mu.RUnlock()
	for _, addr := range stale {
		t.forget(addr)
	}
}

func (t *Table) Size() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.peers)
}
