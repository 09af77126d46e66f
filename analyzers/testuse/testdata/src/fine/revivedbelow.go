package fine

import (
	"sync"
	"time"
)

type hire struct {
	boat string
	back time.Time
	kind int
}

type BoatYard struct {
	mu    sync.RWMutex
	hires map[string]*hire
	once  map[string]hire
	ttl   time.Duration
}

func (y *BoatYard) Extend(name string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if h := y.hires[name]; h != nil {
		h.back = time.Now().Add(y.ttl)
	}
}

func (y *BoatYard) over(now time.Time) (names []string) {
	y.mu.RLock()
	defer y.mu.RUnlock()
	for name, h := range y.hires {
		if h.back.Before(now) {
			names = append(names, name)
		}
	}
	return names
}

// StrikeOff looks again.
func (y *BoatYard) StrikeOff() {
	now := time.Now()
	for _, name := range y.over(now) {
		y.mu.Lock()
		if h := y.hires[name]; h != nil && h.back.Before(now) {
			delete(y.hires, name)
		}
		y.mu.Unlock()
	}
}

// overLocked is called with the lock held.
func (y *BoatYard) overLocked(now time.Time) (names []string) {
	for name, h := range y.hires {
		if h.back.Before(now) {
			names = append(names, name)
		}
	}
	return names
}

func (y *BoatYard) StrikeAtOnce() {
	y.mu.Lock()
	defer y.mu.Unlock()
	for _, name := range y.overLocked(time.Now()) {
		delete(y.hires, name)
	}
}

func (y *BoatYard) ofKind(kind int) (names []string) {
	y.mu.RLock()
	defer y.mu.RUnlock()
	for name, h := range y.hires {
		if h.kind == kind { // never changes
			names = append(names, name)
		}
	}
	return names
}

func (y *BoatYard) StrikeKind(kind int) {
	for _, name := range y.ofKind(kind) {
		y.mu.Lock()
		delete(y.hires, name)
		y.mu.Unlock()
	}
}

// Rent leaves what is there.
func (y *BoatYard) Rent(name, boat string) bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	if _, taken := y.once[name]; taken {
		return false
	}
	y.once[name] = hire{boat: boat, back: time.Now().Add(y.ttl)}
	return true
}

func (y *BoatYard) StrikeOnce() {
	var due []string
	y.mu.RLock()
	for name, h := range y.once {
		if time.Since(h.back) > 0 {
			due = append(due, name)
		}
	}
	y.mu.RUnlock()
	y.mu.Lock()
	for _, name := range due {
		delete(y.once, name)
	}
	y.mu.Unlock()
}
