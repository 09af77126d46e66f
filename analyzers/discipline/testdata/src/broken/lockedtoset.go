package broken

import (
	"sync"
	"time"
)

type verdict struct {
	good  *bool
	asked time.Time
	users int
}

// Verdicts keeps what was last said of each host.
type Verdicts struct {
	mu    sync.RWMutex
	hosts map[string]*verdict
}

func (v *Verdicts) Join(host string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	h := v.hosts[host]
	if h == nil {
		h = &verdict{}
		v.hosts[host] = h
	}
	h.users++
}

func (v *Verdicts) Good(host string, ask func(string) bool) bool {
	v.mu.RLock()
	h, ok := v.hosts[host]
	v.mu.RUnlock()
	if !ok {
		return false
	}
	if h.good != nil && time.Since(h.asked) < time.Minute { // want `h.good is read here before v.mu is taken, with which it is set further down`
		return *h.good
	}
	good := ask(host)
	v.mu.Lock()
	h.good = &good
	h.asked = time.Now()
	v.mu.Unlock()
	return good
}
