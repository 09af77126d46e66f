// Package tblease leases names: who has one keeps it until it is over.
package tblease

import (
	"sync"
	"time"
)

type lease struct {
	owner string
	until time.Time
}

// Leases has leases of names.
type Leases struct {
	mu  sync.Mutex
	all map[string]*lease
	d   time.Duration
}

// New makes some.
func New(d time.Duration, names ...string) *Leases {
	l := &Leases{all: map[string]*lease{}, d: d}
	for _, n := range names {
		l.all[n] = &lease{}
	}
	return l
}

// Owner is who has the name.
func (l *Leases) Owner(name string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := l.all[name]; ok {
		return e.owner
	}
	return ""
}

// take takes the name, unless somebody else has it still.
func (l *Leases) take(name, id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.all[name]
	if !ok {
		return false
	}
	if e.owner != id && time.Now().Before(e.until) {
		return false
	}
	e.owner = id
	e.until = time.Now().Add(l.d)
	return true
}

// Ensure makes sure that id has the name, and runs start if it did not have it.
func (l *Leases) Ensure(name, id string, start func()) bool {
	if l.Owner(name) == id {
		return true
	}
	if !l.take(name, id) {
		return false
	}
	start()
	return true
}

// Renew keeps it.
func (l *Leases) Renew(name, id string) bool { return l.take(name, id) }
