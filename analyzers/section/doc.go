// Package section defines an Analyzer that searches for atomic sections: pairs
// of accesses to one shared variable which their author expected to happen as
// one step (papers/001 section 4.1).
//
// # How the package is read
//
// Begin with run in section.go. For each body of a function or literal it lists the
// accesses that this and its callees make, the occurrences (state.go). At each read it
// calls from (find.go), which follows the control-flow graph (walk.go) to what may end a
// section; judge.go and spared.go say why one is not worth a report. Then it calls the
// searches, for sequences that no single read gives away. A search is what is known of
// the package and of the body looked at, a finding what is known of the sections that
// begin at one read, a Candidate what comes out, and Report (report.go) makes a
// diagnostic of that.
//
// What finds is a method of search without arguments, such as countedOut: it goes through
// the occurrences, asks for evidence that goroutines meet there, and ends with direct and
// tell (guard_empty.go). What spares is a method of finding that answers a question of
// judge.go or spared.go, such as ownTurn. Both have a comment with the code that they are
// about, and are tried by code in testdata of the analyzer that reports, broken and fine.
//
// A file without a prefix is the engine, which every search stands on. The others have one
// that says what they are about; what several groups use lies where it is used most:
//
//   - channel_: sends on channels and closes of them, by two or one after the other
//   - signal_: who waits for something to be stored or changed, and who tells of it
//   - count_: what is counted in WaitGroups, and counts of users, of work and of room
//   - atomic_: values of atomic variables, and what comes between two operations
//   - guard_: which lock guards what, and who comes without it or for reading only
//   - stale_: what one critical section has found and a later one relies on
//   - escape_: what is got hold of under a lock and used after its release
//   - pair_: variables that belong together, and are read or written one by one
//   - map_: entries of maps, sync.Maps and the like, and whether two keys are the same
//   - life_: objects, goroutines and timers that are started, replaced or ended
//   - spared_: what shows that nobody can break a sequence
//   - doubt_: whether goroutines meet in a sequence, and whether it does harm to break it
//
// The package may not know how a section is instrumented or healed. Its candidates may
// depend on the source and on the facts of imports alone: not on the order of a Go map,
// nor on an earlier run. And what lacks evidence is not told, since a false alarm costs
// more than a miss.
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
// decides about a write in the same hold of a lock. In atomicity.yaml a read that
// looks again on the way to the ends, as in for v == nil { v = x.p.Load() }, is an
// end that no foreign access breaks. And what is stored whenever a channel of the
// same object is closed, before that, is final for who has received from the
// channel: neither does a section begin with such a read, nor does one end there.
//
// What is watched and healed is longer than what is reported, where the function reads
// the variable several times in a row or stores back what it has read: the section
// begins with the first of these reads (chosen := pool[next]; next = (next + 1) % n)
// and ends with the last of these stores (old := state.Load(); state.Store(busy); …;
// state.Store(old)), since healing anything less leaves the sequence broken.
//
// Beyond the sections that begin at one read, sequences are found by what other
// functions do to the same variables. What the analyzer expects there, by what it is
// about:
//
// Channels. A flag that decides about a close is tested under one lock wherever that is.
//
// Signals. Who is to be woken is put on the list in the critical section that has found
// what it waits for missing, or misses it. A signal of a sync.Cond is given after what
// it tells of is stored, or in the same critical section; and who waits for one has
// tested what it waits for in the critical section of the wait. A channel is closed
// after what it tells of is stored, and an atomic version number is raised after what it
// is the version of is stored, not before. A channel that is closed and replaced when
// something changes is taken in the critical section that has found it unchanged. And a
// picture of a variable is not taken in a critical section before the one in which
// somebody is put on the list of those who are told of its changes.
//
// Counts. A count of users that is raised because it was not zero is a sequence, and so
// is a send that comes after the sender has counted itself, where who counts last closes
// the channel. Who counts itself in, be it in a WaitGroup or in an atomic variable, looks at the
// flag that keeps others out when it has done so, for whoever raises the flag looks at the count
// afterwards; and who waits for the group raises it before.
//
// A channel of a function on which a goroutine sends that the function starts is closed by what has
// waited for something which that goroutine does when it has sent. A channel that is closed by
// whoever lowers a flag is made anew before the flag is raised again.
//
// Atomic variables. These, too, are sequences: an object that is stored because it is
// newer than the one loaded; a count that is set back to what it was; a number that is
// loaded, used, and only then moved on. A count that is added to is taken back by
// another addition, not set back by a store, and one from which numbers are drawn does not
// begin anew by a store either. A swap that is tried again is tried from a value that is loaded
// anew. A state that was taken by CompareAndSwap is
// left by CompareAndSwap, where another function sets one for good.
//
// Locks. A variable that all other functions access under one lock of its object, and
// one under another lock of it, is not guarded by either. A field of an object with one
// lock, which guards all else that changes of it, is changed under that lock as well, and set
// so by a method that goes on with one which takes the lock.
// Where a lock is taken for nothing but to set fields of an object that was found under it, they
// are not read without it before.
// Two functions that test and set one field hold the same lock. What a function writes
// that is called with the lock held for reading by some of its callers, and for writing
// by others, is written by two at once. What others hold the lock of the very object for
// is not written under that of another object of the type.
//
// What is out of date under a later lock. A state that is set under a lock, and set to
// the next one under the lock taken anew without another look, loses a third one that
// another function can set in between. An index is used in the critical section that has
// found it. An element is appended to a list because of what the last one tells in one
// critical section. Who asks a container for its length, and then for the element at an
// index, holds one lock meanwhile, and so does who makes a slice of that length and fills it
// from the entries, by their number.
//
// A flag that says what is there, and is unset under the lock when that is taken away, or changed
// when it may not have been replaced, is asked with the lock by whoever uses it then.
//
// What is used after the lock. A slice that is read under a lock and walked through after
// its release must not be one whose elements others move in place, and neither must a
// slice or map that an exported method returns itself under the lock. A slice whose array
// is kept for what comes next, s = s[:0], is not used any more when the lock is released
// under which it was taken. An object of a map that others remove when it is not in use is
// counted in under the lock of the map. What a method has put into a list under a lock is not
// read without it, where all others write it with the lock held.
//
// Variables that belong together. Two variables that are read by a getter each and handed
// on together are not read so where others set both in one critical section. Two atomic
// variables that are stored one after the other are not loaded one after the other and
// used together. An entry is taken out of a list and of the map that belongs to it in one
// critical section; and where one function goes from an entry of one map to that of
// another without a look, both are deleted in one critical section.
// What the entries of a map are made with is replaced in the critical section that empties
// the map. Two variables that one function sets in one critical section, and another relies on
// in one, are not set in two, and neither are a flag and what it says is there, unless the flag is
// raised last. A version that is counted up with what it is the version of is read first. An
// object is put into two containers in one critical section where another function takes such
// objects out of both in one.
//
// Entries of maps. An entry of a sync.Map that is deleted because it held a certain object
// is a sequence, too. Entries that are found due by a field of theirs in one critical
// section are not deleted from the map in another, while others renew the field. An entry
// of a sync.Map that a walk finds out of date is deleted only as long as it is the same,
// where others store a fresh one under its key; and so are entries of maps that a method
// has listed, and that others renew or replace. Entries that are listed by a state of
// theirs are put into another one only where that state is looked at again. What is
// compared with what was remembered of it is stored in the critical section that has
// compared it. Who puts a value of its own into a map in the place of another deletes it
// only if it is still there.
//
// What goes back into a sync.Pool is not returned, nor a part of it, and what a Write method is given is
// not left to another goroutine. A copy of an object that gets a lock of its own does not share what
// the lock guards.
//
// A map of the package itself that an exported function looks up and fills is locked, in
// packages that serve many.
//
// What is started and ended. A flag that is set by the goroutine which its test lets start
// is a sequence as well. All that is in a map is ended when the goroutine is over that puts more
// there. What has been ended is replaced in the critical section that has found it so. An object
// that others have stopped and replaced does not delete the new one's entry at its end.
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
