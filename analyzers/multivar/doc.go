// Package multivar defines an Analyzer that finds variables which belong
// together and are read or updated in two critical sections.
//
// # Analyzer multivar
//
// multivar: find variables that belong together and are torn apart
//
// Each of two accesses may be locked perfectly, and the pair of variables still
// be seen in a state that never should exist, because the lock is released
// between them. That variables belong together is inferred from the other
// functions of the package: those that update both, or rely on both, within one
// critical section.
//
// Where all others handle both in one critical section, infer proposes a section over
// the two for atomicity.yaml, also for a sum and its count that one step updates in
// two critical sections, one directly after the other, which is no report.
//
// ## multi-variable
//
// Two variables that other functions handle in one critical section are handled
// in two: another goroutine sees the first one changed and the second one not.
//
//	c.mu.Lock()
//	c.state = open
//	c.mu.Unlock()
//	conn := dial()
//	c.mu.Lock()
//	c.conn = conn
//	c.mu.Unlock()
//
// Without any lock, an atomic flag that is computed from other atomic variables wherever
// one of them has changed stays wrong when the two that have changed them store it in
// the other order than they have looked. With a lock it is the same for a method that reads
// a field, releases the lock, and stores what it has computed from it in another one, when
// those that change the first call it after they have released the lock themselves: it has
// to compute under the lock, or to compare a version before it stores. And an atomic flag is
// set after what it tells of, not before.
//
// Two variables that are read by a getter each and used together are of two moments, where
// others set both in one critical section; so are two maps of one object, or an index and
// its slice, that are changed one after the other. And who is put on the list of those who
// are told of changes only after a picture was taken misses the change in between. What is
// handed to a goroutine that removes it from a map when it is done is entered there before, and
// so is who waits for the answer to what is sent. What is added to a list whose members are ended
// with the object, without a look whether that has been, is never ended, where another function
// looks before it adds.
//
// Handle both in one critical section, or look at the first one again in the
// second.
//
//	c.mu.Lock()
//	c.conn = conn
//	c.state = open
//	c.mu.Unlock()
//
// Since 0.2, severity: warning.
package multivar

import _ "embed"

//go:embed doc.go
var doc string
