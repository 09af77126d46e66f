// Package discipline defines an Analyzer that finds accesses which break the
// rule by which the rest of the package protects a variable.
//
// # Analyzer discipline
//
// discipline: find accesses that break a variable's own rule of protection
//
// A variable is protected only when everybody keeps to the same rule: all
// accesses go through sync/atomic, or all are made under one lock. The rule is
// inferred from the other accesses in the package. Constructors, tests, and
// objects that no other goroutine has yet are left alone.
//
// ## mixed-atomic-plain
//
// The variable is accessed by sync/atomic in one place and without it in
// another. The plain access sees a value that is no longer the one just stored,
// and a plain update loses an atomic one. It is the same when an exported method overwrites
// a field of type sync.Map or sync.Pool, or of one of sync/atomic, as a whole, as in
// c.entries = sync.Map{}: these are safe by their methods alone.
//
//	atomic.AddUint32(&r.next, 1)
//	return hosts[r.next%n]
//
// Use what the atomic operation returns, or an atomic type, which has no plain
// access.
//
//	return hosts[atomic.AddUint32(&r.next, 1)%n]
//
// Since 0.2, severity: warning.
//
// ## empty-critical-section
//
// The lock is released as soon as it is taken, and what it guards elsewhere is
// used afterwards: a defer was forgotten.
//
//	r.mu.Lock()
//	r.mu.Unlock()
//	r.cache[key] = v
//
// Hold the lock until the use is over.
//
//	r.mu.Lock()
//	defer r.mu.Unlock()
//	r.cache[key] = v
//
// Since 0.2, severity: error.
//
// ## unguarded-access
//
// All other functions of the package that access the variable hold one and the
// same lock: three of them at least, or two that write it. This one holds none
// that keeps the others out. Reported are writes, also under a lock that is held
// for reading only, and looks into a map that others write, which end the
// program when the two meet. Also reported are reads after the function itself has
// released the lock (here it is enough that all functions hold it that write), and looks before it takes the lock that it repeats under the lock
// (double-checked locking): only an atomic variable can be looked at like that; and tests
// in exported methods, of a field that all functions write under a lock beside it and one
// at least reads so too; and methods that test and change a field without a lock of their own,
// which are called with the lock held, and by a goroutine or timer that was begun with it held
// and runs on when it is released; and fields of an object that was found in a map or slice
// under its lock, and is used after the release, where others change such objects under it; and
// a map of an object without a lock that a method makes known to each of several others, which change it each under a lock of
// its own; and
// fields of the objects in a map or slice, which a method writes without the lock that all others hold for such fields: that of
// what they are in; and
// getters of an object whose comment says that several goroutines may use it; and what a server
// stores before it accepts, where its Close looks at that under the lock; and reads of a field that
// another function takes the lock for only to read it; and a field that is set before the lock is
// taken with which others read it, or read before the one is taken with which others set it; and calls of a
// method that takes no lock itself, without the one that all its other callers hold; and numbers and texts that
// a goroutine of the object's own reads turn by turn without the lock under which exported methods set them; and a local that a
// goroutine sets which lets nobody know when it is done, and that the function reads which has started it. Variables
// of a package are like fields, and its locks like those beside them; what a package registers when it
// begins may be looked up without the lock by all. A map needs no reader with the lock for that: it is enough that two
// places at least change it, all of them with the lock. What a function does to a map that it is given, or is a method
// of, or those of package maps do, is taken for done where it is called; so is what encoding/json, encoding/gob, yaml and
// reflect.DeepEqual read of a map that they are handed.
//
// And there is what nobody ever holds a lock for, where the code itself shows several goroutines: a map that
// many of them change, or each request to a server; a variable that each sets to a value of its own and reads
// again (the err of the function around the goroutines that a loop starts, the user of a request in a field of
// the handler), or stores a value of more than one word in, of which half can be of another one; a field that a goroutine of the object's own writes turn by turn, telling nobody, and an
// exported method reads; one that an exported method changes while such a goroutine, which the constructor
// has started, reads it; a local that a function reads when it has given up waiting for the goroutine that
// stores it, and one that a literal which it has started, by go, a group, time.AfterFunc or as a handler, uses while the
// function goes on with it or another literal does; a field of a connection or listener that one of its methods
// changes and another one uses, since package net lets goroutines call them at the same time; a map that the
// function itself has changed under a lock before, and changes without it when that is released; and a map that
// a goroutine changes which a method starts each time and leaves behind, while it or another method uses the map.
//
//	for id := range r.sessions {
//		ids = append(ids, id)
//	}
//
// Hold the lock here too.
//
//	r.mu.Lock()
//	for id := range r.sessions {
//		ids = append(ids, id)
//	}
//	r.mu.Unlock()
//
// Since 0.2, severity: error.
//
// ## write-under-rlock
//
// The method changes the object that the lock guards, without a lock of its own,
// and the lock is held for reading only: others hold it at the same time. A look
// into an LRU cache, which moves what it finds to the front, is the usual case.
// Elsewhere the same lock is held for writing when the object is changed.
//
//	c.mu.RLock()
//	v, ok := c.lru.Get(key)
//	c.mu.RUnlock()
//
// Take Lock, or use a method that only looks.
//
//	c.mu.Lock()
//	v, ok := c.lru.Get(key)
//	c.mu.Unlock()
//
// Since 0.4, severity: error.
//
// ## confirmed-section
//
// A section that a person has written into atomicity.yaml and confirmed is not
// protected. The analyzers would not have thought of it, or know it as a mere
// pair of accesses; that it is confirmed counts for more.
//
//	balance := a.balance
//	audit(balance)
//	log.Print(a.balance)
//
// Hold one lock from the entry of the section to its ends.
//
//	a.mu.Lock()
//	defer a.mu.Unlock()
//	balance := a.balance
//	audit(balance)
//	log.Print(a.balance)
//
// Since 0.3, severity: warning.
package discipline

import _ "embed"

//go:embed doc.go
var doc string
