package broken

import (
	"crypto/rand"
	"encoding/hex"
	"sync"
	"sync/atomic"
)

// A Lease is got by whoever comes first, and is for all.
type Lease struct {
	making  sync.Mutex
	current atomic.Pointer[string]
}

// Get has a lock for the making, and does not look again.
func (l *Lease) Get() string {
	if p := l.current.Load(); p != nil { // want `two goroutines can both pass the test of l.current and both set it: l.making is taken only afterwards`
		return *p
	}
	l.making.Lock()
	defer l.making.Unlock()
	fresh := fetchLease()
	l.current.Store(&fresh)
	return fresh
}

// Drop forgets it.
func (l *Lease) Drop() { l.current.Store(nil) }

func fetchLease() string {
	var id [8]byte
	rand.Read(id[:])
	return hex.EncodeToString(id[:])
}
