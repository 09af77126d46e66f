// Package locks defines an Analyzer that computes which locks are held where.
//
// # Analyzer locks
//
// locks: compute the locks held at each step of a function
//
// The analyzer reports nothing by itself. Its result, [*Result], says for every
// event of every body (package accesses) which locks are held there on all
// paths, and which locks an event takes or releases.
//
// A lock is known by its place: root object and field path, embedded fields
// spelled out, so that s.Lock() of an embedded mutex and s.Mutex.Lock() are the
// same lock. A lock operation is a call of Lock, RLock, TryLock, TryRLock,
// Unlock or RUnlock on a type that has Lock and Unlock, whether from package
// sync or not. A call of a function of this package has the effects of its
// summary: it may take locks of its receiver and parameters, release them, or
// drop and retake what its caller holds, and take one only if its last result is
// nil or true.
//
// A channel of capacity one is a lock as well, where each function that sends on it
// receives from it later, or the other way round if it is made with a value in it. So is an atomic
// variable that is taken by CompareAndSwap in a loop and released by storing zero.
//
// What is held when a function starts is what all its callers hold, if it is
// unexported and only ever called, by its name or by functions of the package
// that it is handed to; a function literal starts with what is held where it
// stands, unless it is launched as a goroutine, or with what it releases in
// the end without having taken it. A function whose name ends in Locked, or
// whose comment says that a lock must be held, starts with [Caller], a lock of
// which nothing else is known.
package locks

import _ "embed"

//go:embed doc.go
var doc string
