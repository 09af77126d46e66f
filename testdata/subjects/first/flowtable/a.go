package flowtable

import (
	"net/netip"
	"sync"
	"time"
)

type Key struct {
	Src, Dst netip.AddrPort
	Proto    uint8
}

type flow struct {
	packets uint64
	last    time.Time
}

type Table struct {
	mu    sync.RWMutex
	flows map[Key]flow
	ttl   time.Duration
	stop  chan struct{}
	once  sync.Once
}

func New(ttl time.Duration) *Table {
	t := &Table{flows: make(map[Key]flow), ttl: ttl, stop: make(chan struct{})}
	go t.ager()
	return t
}

func (t *Table) Seen(k Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.flows[k]
	f.packets++
	f.last = time.Now()
	t.flows[k] = f
}

func (t *Table) ager() {
	tick := time.NewTicker(t.ttl)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			t.expire(now.Add(-t.ttl))
		case <-t.stop:
			return
		}
	}
}

func (t *Table) expire(limit time.Time) {
	var old []Key
	t.mu.RLock()
	for k, f := range t.flows {
		if f.last.Before(limit) {
			old = append(old, k)
		}
	}
	t.mu.RUnlock()
	for _, k := range old {
		t.mu.Lock()
		if f, ok := t.flows[k]; ok && f.last.Before(limit) {
			delete(t.flows, k)
		}
		t.mu.Unlock()
	}
}

func (t *Table) Close() { t.once.Do(func() { close(t.stop) }) }
