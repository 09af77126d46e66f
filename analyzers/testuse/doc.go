// Package testuse defines an Analyzer that finds values which are tested and
// then relied upon while another goroutine can change them in between.
//
// # Analyzer testuse
//
// testuse: find tests of shared variables that no longer hold when acted upon
//
// In if !s.closed { s.closed = true; close(s.ch) } two goroutines can both see
// closed == false, and both close the channel. The same goes for a pointer
// tested for nil and then used, for a length tested before an element is
// taken, and for a map entry that is found missing and then stored.
//
// A lock helps only if it is held from the test to the act without a release
// in between. A second test under the final lock is enough too, and so is
// CompareAndSwap, Swap or LoadOrStore; none of these is reported. Only
// variables that more than one goroutine can reach are considered.
//
// ## test-and-use
//
// No lock is held:
//
//	if c.cancel != nil {
//		c.cancel()
//		c.cancel = nil
//	}
//
// Hold the lock that guards c.cancel elsewhere around all of it.
//
// ## test-before-lock
//
// The test happens before the lock is taken:
//
//	if s.conn == nil {
//		s.mu.Lock()
//		s.conn = dial()
//		s.mu.Unlock()
//	}
//
// Take the lock first, or test again after taking it.
//
// ## use-after-unlock
//
// The test happens under the lock, the use after its release. Hold the lock
// until the use is over, or work on a copy taken under the lock.
//
// ## unlock-relock
//
// The lock is released between the test and the act:
//
//	p.mu.Lock()
//	n := len(p.free)
//	p.mu.Unlock()
//	if n > 0 {
//		p.mu.Lock()
//		p.free = p.free[:n-1]
//		p.mu.Unlock()
//	}
//
// Keep the lock, or test again after retaking it.
//
// ## rlock-upgrade
//
// The test happens under RLock, the act under Lock. RLock cannot be upgraded:
// it is released first, and others come in between. Test again under Lock.
//
// ## write-under-rlock
//
// Both happen under RLock, which lets other holders of RLock in. Use Lock.
//
// ## atomic-check-then-act
//
// Two atomic operations are not one:
//
//	if s.closed.Load() {
//		return
//	}
//	s.closed.Store(true)
//	close(s.done)
//
// Use one that does both:
//
//	if !s.closed.CompareAndSwap(false, true) {
//		return
//	}
//	close(s.done)
//
// ## sync-map
//
// Load and then Store of a sync.Map: of two goroutines that find nothing, the
// second replaces what the first one stored:
//
//	if v, ok := m.Load(k); ok {
//		return v
//	}
//	v := make()
//	m.Store(k, v)
//
// Use LoadOrStore, and go on with what it returns:
//
//	v, _ := m.LoadOrStore(k, make())
//
// ## guarded-escape
//
// A map that a lock guards is copied into a local, which is then used without
// the lock. The copy refers to the same entries:
//
//	s.mu.Lock()
//	m := s.conns
//	s.mu.Unlock()
//	for id := range m {
//
// Hold the lock, or copy the entries under it (maps.Clone).
//
// ## double-close
//
// A select with a default case tells whether a channel is closed now, not
// whether it still is open when close is reached:
//
//	select {
//	case <-s.done:
//	default:
//		close(s.done)
//	}
//
// Use sync.Once, or a mutex around all of it.
package testuse

import _ "embed"

//go:embed doc.go
var doc string
