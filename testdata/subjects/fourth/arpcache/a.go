package arpcache

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"time"
)

type entry struct {
	mac  string
	born time.Time
}

type Cache struct {
	m   sync.Map
	ttl time.Duration
}

func NewCache(ctx context.Context, ttl time.Duration) *Cache {
	c := &Cache{ttl: ttl}
	go func() {
		t := time.NewTicker(ttl)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				c.expire()
			case <-ctx.Done():
				return
			}
		}
	}()
	return c
}

func (c *Cache) Learn(ip netip.Addr, mac net.HardwareAddr) {
	c.m.Store(ip, &entry{mac: mac.String(), born: time.Now()})
}

func (c *Cache) expire() {
	c.m.Range(func(k, v any) bool {
		if time.Since(v.(*entry).born) > c.ttl {
			c.m.CompareAndDelete(k, v)
		}
		return true
	})
}

func (c *Cache) Resolve(ip netip.Addr) (net.HardwareAddr, error) {
	v, ok := c.m.Load(ip)
	if !ok {
		return nil, &net.AddrError{Err: "no neighbour", Addr: ip.String()}
	}
	return net.ParseMAC(v.(*entry).mac)
}
