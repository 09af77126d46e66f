// Package loadstore defines an Analyzer that finds values which are read,
// changed and written back while another goroutine can write in between.
//
// # Analyzer loadstore
//
// loadstore: find lost updates of shared variables
//
// The statement x++ reads x, adds one and writes x. When two goroutines do so
// at the same time, one of the additions is lost. The same goes for x += y,
// x = f(x), s = append(s, v), m[k] = f(m[k]) and for v := x; …; x = g(v).
//
// A lock helps only if it is held from the read to the write without a
// release in between; that each of them is locked makes the race detector
// content, and does not make the sequence atomic. Only variables that more
// than one goroutine can reach are considered.
//
// ## load-and-store
//
// No lock is held:
//
//	s.hits++
//
// Use the lock that guards s.hits elsewhere, or an atomic.Int64:
//
//	s.hits.Add(1)
//
// ## atomic-load-and-store
//
// Two atomic operations are not one:
//
//	if n > s.max.Load() {
//		s.max.Store(n)
//	}
//
// Use one operation that does it all:
//
//	for old := s.max.Load(); n > old && !s.max.CompareAndSwap(old, n); old = s.max.Load() {
//	}
//
// ## unlock-relock
//
// The lock is released between the read and the write:
//
//	s.mu.Lock()
//	n := s.next
//	s.mu.Unlock()
//	n++
//	s.mu.Lock()
//	s.next = n
//	s.mu.Unlock()
//
// Keep it:
//
//	s.mu.Lock()
//	s.next++
//	n := s.next
//	s.mu.Unlock()
//
// ## rlock-upgrade
//
// The read happens under RLock, the write under Lock: others come in between.
// Take Lock from the beginning, or read again after Lock.
//
// ## read-before-lock
//
// The read happens before the lock is taken under which the write happens:
//
//	keys := append(r.keys, key)
//	r.mu.Lock()
//	r.keys = keys
//	r.mu.Unlock()
//
// Take the lock first.
//
// ## store-after-unlock
//
// The read happens under the lock, the write after its release. Hold the lock
// until the write.
//
// ## sync-map
//
// Load, change and Store of a sync.Map entry: use CompareAndSwap in a loop, or a
// map and a mutex.
//
// ## write-under-rlock
//
// RLock lets other holders of RLock in, so it does not protect a write:
//
//	s.mu.RLock()
//	s.hits++
//	s.mu.RUnlock()
//
// Use Lock.
package loadstore

import _ "embed"

//go:embed doc.go
var doc string
