package broken

import (
	"sync"
	"time"
)

// Larder sweeps out what is old when somebody comes by, once a minute.
type Larder struct {
	mu    sync.RWMutex
	jars  map[string]time.Time
	swept time.Time
}

// Put holds the lock to its end.
func (l *Larder) Put(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.jars[name] = time.Now()
	l.sweepIfDue()
}

// Has has released it.
func (l *Larder) Has(name string) bool {
	l.mu.RLock()
	_, ok := l.jars[name]
	l.mu.RUnlock()
	l.sweepIfDue()
	return ok
}

func (l *Larder) sweepIfDue() {
	now := time.Now()
	if now.Sub(l.swept) < time.Minute { // want `two goroutines can both pass the test of l.swept and both set it: no lock is held`
		return
	}
	l.swept = now
	go l.sweep()
}

func (l *Larder) sweep() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, at := range l.jars {
		if time.Since(at) > time.Hour {
			delete(l.jars, name)
		}
	}
}
