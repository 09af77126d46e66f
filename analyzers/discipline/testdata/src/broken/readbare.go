package broken

import (
	"sync"
	"time"
)

type hostNames struct{ m map[string]string }

// Hosts is looked into while it is read anew.
type Hosts struct {
	sync.RWMutex
	byName *hostNames
	parse  func() *hostNames
}

func (h *Hosts) refresh() {
	names := h.parse()
	h.Lock()
	h.byName = names
	h.Unlock()
}

func (h *Hosts) lookIn(names map[string]string, name string) string {
	h.RLock()
	defer h.RUnlock()
	return names[name]
}

// Lookup takes the map before the lock.
func (h *Hosts) Lookup(name string) string {
	return h.lookIn(h.byName.m, name) // want `h.byName is read here without h.RWMutex, which all functions hold that write it, as \(\*Hosts\).refresh does`
}

func (h *Hosts) Len() int {
	h.RLock()
	defer h.RUnlock()
	return len(h.byName.m)
}

// keepFresh is no method: who calls it has the object still.
func keepFresh(h *Hosts) {
	go func() {
		for range time.Tick(time.Minute) {
			h.refresh()
		}
	}()
}

func setUp(parse func() *hostNames) *Hosts {
	h := &Hosts{parse: parse}
	keepFresh(h)
	return h
}

var Local = setUp(func() *hostNames { return nil })
