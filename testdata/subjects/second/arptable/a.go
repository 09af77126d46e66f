package arptable

import (
	"net/netip"
	"sync"
	"time"
)

type neighbor struct {
	hw   [6]byte
	seen time.Time
}

type Table struct {
	mu    sync.RWMutex
	neigh map[netip.Addr]*neighbor
	ttl   time.Duration
}

func New(ttl time.Duration, stop <-chan struct{}) *Table {
	t := &Table{neigh: make(map[netip.Addr]*neighbor), ttl: ttl}
	go func() {
		tk := time.NewTicker(ttl)
		defer tk.Stop()
		for {
			select {
			case <-stop:
				return
			case now := <-tk.C:
				t.sweep(now)
			}
		}
	}()
	return t
}

func (t *Table) Confirm(ip netip.Addr, hw [6]byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.neigh[ip] = &neighbor{hw: hw, seen: time.Now()}
}

func (t *Table) sweep(now time.Time) {
	var old []netip.Addr
	t.mu.RLock()
	for ip, n := range t.neigh {
		if now.Sub(n.seen) > t.ttl {
			old = append(old, ip)
		}
	}
	t.mu.RUnlock()
	for _, ip := range old {
		t.mu.Lock()
		if n, ok := t.neigh[ip]; ok && now.Sub(n.seen) > t.ttl {
			delete(t.neigh, ip)
		}
		t.mu.Unlock()
	}
}

func (t *Table) Lookup(ip netip.Addr) (hw [6]byte, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	n, ok := t.neigh[ip]
	if ok {
		hw = n.hw
	}
	return hw, ok
}
