package broken

import "sync"

// HouseTenant has a channel for what it is told.
type HouseTenant struct{ told chan string }

// HouseTenants are a set of them.
type HouseTenants struct {
	mu   sync.RWMutex
	here map[*HouseTenant]bool
}

func (g *HouseTenants) Go(guest *HouseTenant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.here[guest] {
		delete(g.here, guest)
		close(guest.told)
	}
}

// Tell looks whether the guest is here, and tells it something when it may have gone.
func (g *HouseTenants) Tell(guest *HouseTenant, s string) {
	g.mu.RLock()
	here := g.here[guest] // want `guest.told can be closed once g.mu is released, and the send then panics: \(\*HouseTenants\).Go takes the object out of HouseTenants.here\[\] and closes its channel`
	g.mu.RUnlock()
	if here {
		guest.told <- s
	}
}
