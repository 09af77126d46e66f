package natsweeper

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

type Flow struct {
	Src, Dst netip.AddrPort
}

type mapping struct {
	port     uint16
	lastSeen time.Time
}

type Table struct {
	mu    sync.RWMutex
	flows map[Flow]*mapping
	next  uint16
	idle  time.Duration
}

func NewTable(ctx context.Context, idle time.Duration) *Table {
	t := &Table{flows: make(map[Flow]*mapping), next: 20000, idle: idle}
	go func() {
		tick := time.NewTicker(idle / 4)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				t.expire()
			}
		}
	}()
	return t
}

func (t *Table) Translate(f Flow) uint16 {
	t.mu.Lock()
	defer t.mu.Unlock()
	m, ok := t.flows[f]
	if !ok {
		m = &mapping{port: t.next}
		t.next++
		t.flows[f] = m
	}
	m.lastSeen = time.Now()
	return m.port
}

func (t *Table) expire() {
	deadline := time.Now().Add(-t.idle)
	stale := make([]Flow, 0, 16)
	t.mu.RLock()
	for f, m := range t.flows {
		if m.lastSeen.Before(deadline) {
			stale = append(stale, f)
		}
	}
	t.mu.RUnlock()

	for _, f := range stale {
		t.mu.Lock()
		delete(t.flows, f)
		t.mu.Unlock()
	}
}
