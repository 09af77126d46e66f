package arpcache

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

type neighbor struct {
	hw      net.HardwareAddr
	expires time.Time
}

type Cache struct {
	table sync.Map // netip.Addr -> neighbor
	ttl   time.Duration
	stop  chan struct{}
}

func NewCache(ttl time.Duration) *Cache {
	c := &Cache{ttl: ttl, stop: make(chan struct{})}
	go c.gc()
	return c
}

func (c *Cache) Learn(ip netip.Addr, hw net.HardwareAddr) {
	c.table.Store(ip, neighbor{hw: hw, expires: time.Now().Add(c.ttl)})
}

func (c *Cache) Resolve(ip netip.Addr) (net.HardwareAddr, bool) {
	v, ok := c.table.Load(ip)
	if !ok {
		return nil, false
	}
	n := v.(neighbor)
	return n.hw, time.Now().Before(n.expires)
}

func (c *Cache) gc() {
	tick := time.NewTicker(c.ttl / 2)
	defer tick.Stop()
	for {
		select {
		case <-c.stop:
			return
		case now := <-tick.C:
			c.table.Range(func(key, value any) bool {
				if n := value.(neighbor); n.expires.Before(now) {
					c.table.Delete(key)
				}
				return true
			})
		}
	}
}

func (c *Cache) Close() { close(c.stop) }
