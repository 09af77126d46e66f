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
// The variable is read and written back, and no lock is held. Of two goroutines
// that read the same value, the one that stores last wipes out what the other
// stored.
//
// What several places do to one variable is one report, at the first of them that
// nobody ignores; the others are among its related positions.
//
// A draw from a rand.Rand that a package has made of a source of its own does so as well, to the state of
// the source: in functions that anybody may call, or that goroutines run, it is reported where no lock is
// held. The functions of math/rand and of math/rand/v2 need none.
//
//	s.hits++
//
// Take the lock that guards the variable elsewhere, or make it an atomic.Int64.
//
//	s.hits.Add(1)
//
// Since 0.1, severity: warning.
//
// ## atomic-load-and-store
//
// What is stored was computed from an earlier atomic load. Each of the two
// operations is atomic, and together they are not: what others store in between is
// lost. The race detector cannot see this. A flag by which others ask for something,
// and which is loaded and then reset whatever it was, is the same. So is a number that is
// read after it was counted up, in place of what Add has returned.
//
//	if n > s.max.Load() {
//		s.max.Store(n)
//	}
//
// Use one operation that does it all: Add, Swap, or CompareAndSwap in a loop.
//
//	for old := s.max.Load(); n > old && !s.max.CompareAndSwap(old, n); old = s.max.Load() {
//	}
//
// Since 0.1, severity: warning.
//
// ## unlock-relock
//
// The lock is released between the read and the write. Each of them is locked, so
// the race detector is content, and what others store in between is lost.
//
//	s.mu.Lock()
//	n := s.next
//	s.mu.Unlock()
//	n++
//	s.mu.Lock()
//	s.next = n
//	s.mu.Unlock()
//
// Keep the lock from the read to the write, or read again after retaking it.
//
//	s.mu.Lock()
//	s.next++
//	n := s.next
//	s.mu.Unlock()
//
// Since 0.1, severity: warning.
//
// ## rlock-upgrade
//
// The value is read under RLock and written back under Lock. RLock cannot be
// upgraded: it is released first, and others come in between.
//
//	s.mu.RLock()
//	n := s.total
//	s.mu.RUnlock()
//	s.mu.Lock()
//	s.total = n + d
//	s.mu.Unlock()
//
// Take Lock from the beginning, or read again after Lock.
//
//	s.mu.Lock()
//	s.total += d
//	s.mu.Unlock()
//
// Since 0.1, severity: warning.
//
// ## read-before-lock
//
// The value is read before the lock is taken under which it is written back.
// The lock then protects the write alone.
//
//	keys := append(r.keys, key)
//	r.mu.Lock()
//	r.keys = keys
//	r.mu.Unlock()
//
// Take the lock first.
//
//	r.mu.Lock()
//	r.keys = append(r.keys, key)
//	r.mu.Unlock()
//
// Since 0.1, severity: warning.
//
// ## store-after-unlock
//
// The value is read under the lock and written back after its release.
//
//	r.mu.Lock()
//	n := len(r.keys)
//	r.mu.Unlock()
//	r.keys = r.keys[:n-1]
//
// Hold the lock until the write.
//
//	r.mu.Lock()
//	r.keys = r.keys[:len(r.keys)-1]
//	r.mu.Unlock()
//
// Since 0.1, severity: warning.
//
// ## sync-map
//
// An entry of a sync.Map is loaded, changed and stored. Each operation is
// synchronised, and what others store in between is lost.
//
//	v, _ := m.Load(k)
//	n, _ := v.(int)
//	m.Store(k, n+1)
//
// Use CompareAndSwap in a loop, keep a pointer to an atomic counter in the map, or
// use a map and a mutex.
//
//	v, _ := m.LoadOrStore(k, new(atomic.Int64))
//	v.(*atomic.Int64).Add(1)
//
// Since 0.1, severity: warning.
//
// ## write-under-rlock
//
// The variable is changed under RLock. Other holders of RLock are let in at the
// same time, so it does not protect a write.
//
//	s.mu.RLock()
//	s.hits++
//	s.mu.RUnlock()
//
// Take Lock, or make the variable atomic.
//
//	s.mu.Lock()
//	s.hits++
//	s.mu.Unlock()
//
// Since 0.1, severity: warning.
package loadstore

import _ "embed"

//go:embed doc.go
var doc string
