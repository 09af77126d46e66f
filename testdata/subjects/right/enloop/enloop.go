// Package enloop changes states in one goroutine; others read them.
package enloop

import (
	"sync"
	"time"
)

type phase int

const (
	cold phase = iota
	warm
	hot
)

type oven struct{ phase phase }

type event struct {
	name string
	to   phase
}

// Kitchen has ovens.
type Kitchen struct {
	mu     sync.RWMutex
	ovens  map[string]*oven
	events chan event
}

// New starts the loop.
func New(names ...string) *Kitchen {
	k := &Kitchen{ovens: map[string]*oven{}, events: make(chan event)}
	for _, n := range names {
		k.ovens[n] = &oven{}
	}
	go k.loop(names)
	return k
}

// Phase is for everybody.
func (k *Kitchen) Phase(name string) phase {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if o, ok := k.ovens[name]; ok {
		return o.phase
	}
	return cold
}

func (k *Kitchen) set(name string, to phase) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if o, ok := k.ovens[name]; ok {
		o.phase = to
	}
}

func (k *Kitchen) loop(names []string) {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case e := <-k.events:
			k.set(e.name, e.to)
		case <-tick.C:
			k.cool(names)
		}
	}
}

func (k *Kitchen) cool(names []string) {
	for _, n := range names {
		if k.Phase(n) == hot {
			k.set(n, warm)
		}
	}
}

// Heat tells the loop.
func (k *Kitchen) Heat(name string) { k.events <- event{name, hot} }
