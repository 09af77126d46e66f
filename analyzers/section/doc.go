// Package section defines an Analyzer that searches for atomic sections: pairs
// of accesses to one shared variable which their author expected to happen as
// one step (papers/001 section 4.1).
//
// # Analyzer section
//
// section: search for atomic sections that no lock protects
//
// The analyzer reports nothing by itself; loadstore and testuse turn its
// candidates into diagnostics. From each read of a variable it follows the
// control-flow graph and keeps the locks that are held without interruption
// since. An access further on is an end of the section when what it does
// depends on the value read: the value flows into what is stored
// (load-and-store), or into a condition that decides whether control gets
// there (test-and-use). The section is protected when at every end a lock is
// left that excludes whoever could break it: one and the same acquisition, and
// not merely the same mutex, which may have been released in between.
//
// A path ends where the variable is tested afresh, since then the later test
// is the one to be relied upon: this is what makes double-checked locking and
// compare-and-swap loops correct. A test by a call, if stale(x.p), counts where it
// decides about a write in the same hold of a lock. In atomicity.yaml a read that looks again on
// the way to the ends, as in for v == nil { v = x.p.Load() }, is an end that no foreign
// access breaks. And what is stored whenever a channel of the same object is closed, before
// that, is final for who has received from the channel: neither does a section begin with such a
// read, nor does one end there.
//
// Of atomic variables and sync.Maps also these are sequences: an object that is stored
// because it is newer than the one loaded; a count of users that is raised because it was
// not zero; a count that is set back to what it was; a number that is loaded, used, and
// only then moved on; a flag that is set by the goroutine which its test lets start; and
// an entry that is deleted because it held a certain object.
//
// What is watched and healed is longer than what is reported, where the function reads
// the variable several times in a row or stores back what it has read: the section
// begins with the first of these reads (chosen := pool[next]; next = (next + 1) % n)
// and ends with the last of these stores (old := state.Load(); state.Store(busy); …;
// state.Store(old)), since healing anything less leaves the sequence broken.
//
// Also reported is a state that is set under a lock, and set to the next one under the
// lock taken anew without another look, where another function can set a third one in
// between, which is lost.
//
// Beyond these, sequences over several variables are found by what other functions do to
// them: entries that are found due by a field of theirs in one critical section and deleted
// from the map in another, while others renew the field; two variables that are read by a
// getter each and handed on together, where others set both in one critical section; and a
// picture of a variable that is taken before somebody is put on the list of those who are
// told of its changes.
//
// A variable that all other functions access under one lock of its object, and one under
// another lock of it, is not guarded by either.
//
// Who is to be woken is put on the list in the critical section that has found what it
// waits for missing, or misses it.
//
// And a signal of a sync.Cond is given after what it tells of is stored, or in the same
// critical section; and who waits for one has tested what it waits for in the critical
// section of the wait.
//
// A slice that is read under a lock and walked through after its release must not be one
// whose elements others move in place; and an index is used in the critical section that has
// found it.
//
// whose elements others move in place, and neither must a slice or map that an exported
// method returns itself under the lock.
//
// An atomic count that is added to is taken back by another addition, not set back by a store.
//
// An atomic version number is raised after what it is the version of is stored, not
// before.
//
// An entry is taken out of a list and of the map that belongs to it in one critical
// section.
//
// A channel is closed after what it tells of is stored.
//
// A state that was taken by CompareAndSwap is left by CompareAndSwap, where another
// function sets one for good.
//
// Who puts a value of its own into a map in the place of another deletes it only if it is
// still there.
//
// An element is appended to a list because of what the last one tells in one critical section.
//
// What a function writes that is called with the lock held for reading by some of its callers,
// and for writing by others, is written by two at once.
//
// Also found is a send that comes after the sender has counted itself, where who counts last
// closes the channel.
//
// A field of an object with one lock, which guards all else that changes of it, is changed
// under that lock as well.
//
// Two functions that test and set one field hold the same lock.
//
// A slice whose array is kept for what comes next, s = s[:0], is not used any more when
// the lock is released under which it was taken.
//
// Two atomic variables that are stored one after the other are not loaded one after the
// other and used together.
//
// Who asks a container for its length, and then for the element at an index, holds one
// lock meanwhile.
//
// And where one function goes from an entry of one map to that of another without a look,
// both are deleted in one critical section.
//
// What others hold the lock of the very object for is not written under that of another object
// of the type; and a flag that decides about a close is tested under one lock wherever that is.
//
// An entry of a sync.Map that a walk finds out of date is deleted only as long as it is the
// same, where others store a fresh one under its key; and so are entries of maps that a
// method has listed, and that others renew or replace.
//
// Entries that are listed by a state of theirs are put into another one only where that state
// is looked at again.
//
// What is compared with what was remembered of it is stored in the critical section that
// has compared it.
//
// A channel that is closed and replaced when something changes is taken in the critical section
// that has found it unchanged.
//
// # Analyzer effects
//
// effects: tell importers what functions read and write for their callers
//
// The analyzer reports nothing. Its fact has, for the exported functions of a
// package, what section would find out by looking into them: the variables whose
// values they return, the ones that they write without a test of their own, the
// parameters that they store and look up by, and the locks held meanwhile. With
// it, and with the facts of locks and shared, v := s.Get(); s.Set(v + 1) is the
// same to section wherever Get and Set come from. A function has at most 16
// effects, and a fact at most 8 KiB a package; where there are more, those of
// functions that synchronise come first.
//
// # Analyzer interleaving
//
// interleaving: pair each access with those that come next
//
// The analyzer reports nothing. Its candidates are the pairs of consecutive
// accesses of one function to one shared variable (papers/001 section 4.2), for
// whoever refines them by runs that a test has judged: by themselves most of
// them mean nothing. What may come between the two is what leaves their order
// serialisable: reads, and between two writes, writes. Pairs in one critical
// section, pairs of another pattern, loops that come back to the same access and
// test files are left out, and all but the first 32 of a function.
package section

import _ "embed"

//go:embed doc.go
var doc string
