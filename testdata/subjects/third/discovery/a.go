package discovery

import (
	"fmt"
	"net/netip"
	"sync"
)

type Instance struct {
	ID   string
	Addr netip.AddrPort
	Zone string
}

type Catalog struct {
	mu       sync.RWMutex
	services map[string]map[string]Instance
}

func NewCatalog() *Catalog {
	return &Catalog{services: make(map[string]map[string]Instance)}
}

func (c *Catalog) known(service string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, ok := c.services[service]
	return ok
}

func (c *Catalog) create(service string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.services[service] = make(map[string]Instance)
}

func (c *Catalog) put(service string, in Instance) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.services[service][in.ID] = in
}

func (c *Catalog) Register(service string, in Instance) error {
	if !in.Addr.IsValid() {
		return fmt.Errorf("register %s/%s: bad address", service, in.ID)
	}
	if !c.known(service) {
		c.create(service)
	}
	c.put(service, in)
	return nil
}

func (c *Catalog) Lookup(service, zone string) []netip.AddrPort {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var out []netip.AddrPort
	for _, in := range c.services[service] {
		if zone == "" || in.Zone == zone {
			out = append(out, in.Addr)
		}
	}
	return out
}
