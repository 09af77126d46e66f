package leasesweep

import (
	"net/netip"
	"sync"
	"time"
)

type lease struct {
	addr    netip.Addr
	expires time.Time
}

type Binder struct {
	table sync.Map
	ttl   time.Duration
	quit  chan struct{}
}

func NewBinder(ttl time.Duration) *Binder {
	b := &Binder{ttl: ttl, quit: make(chan struct{})}
	go b.janitor()
	return b
}

func (b *Binder) Renew(mac string, addr netip.Addr) {
	b.table.Store(mac, lease{addr: addr, expires: time.Now().Add(b.ttl)})
}

func (b *Binder) Resolve(mac string) (netip.Addr, bool) {
	v, ok := b.table.Load(mac)
	if !ok {
		return netip.Addr{}, false
	}
	return v.(lease).addr, true
}

func (b *Binder) sweep(now time.Time) int {
	var dead []string
	b.table.Range(func(k, v any) bool {
		if v.(lease).expires.Before(now) {
			dead = append(dead, k.(string))
		}
		return true
	})
	for _, mac := range dead {
		b.table.Delete(mac)
	}
	return len(dead)
}

func (b *Binder) janitor() {
	t := time.NewTicker(b.ttl / 2)
	defer t.Stop()
	for {
		select {
		case now := <-t.C:
			b.sweep(now)
		case <-b.quit:
			return
		}
	}
}
