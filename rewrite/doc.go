// Package rewrite puts the hooks of the runtime, package heal, into Go source
// and hands the result to the go command without touching the user's tree.
//
// Its way is straight: [Select] says which packages of the build are concerned;
// load type-checks them; a plan decides for each which accesses, of those that
// package access enumerates, get which hook, and finds the sections of the spec
// among them; a pass carries the plan out on one file's dst tree, with one Go
// file here for each construct of the language (read, write, call, clause, …);
// render prints the tree and gives every token its original line back; Install
// writes overlay, rewritten files, a shadow GOROOT that holds the runtime, and
// where dependencies are concerned a shadow of the module cache.
//
// The emitted code keeps Go's order of evaluation and evaluates no operand
// twice. Between beforeAccess and afterAccess (papers/001 section 3.1) stands
// the access alone: operands and values go into temporaries first. What cannot
// be hooked on these terms is left as it is, with a [Note] that says why.
//
// A copy of a struct or an array is one access, which the race table knows by
// the granule of 64 bytes in which it begins.
// The elements that a range loop, copy, clear and append(…, list...) read and
// write are hooked for races alone, and sampled where there are many: see
// bulk.go. What append writes is not hooked: whether it writes into the old
// array, and so where, is known only when it has, and its result is assigned to
// a variable whose write is hooked. Nor are the bytes that conversions between
// strings and slices, and the functions of package slices, read. The
// explicit ways out of a section (atomExit) are in exits.go, the healing locks
// taken before the program's own in holds.go, sections over several variables in
// sets.go.
//
// For races alone, reads are not hooked that a hooked access directly before has
// covered (repeated.go), nor locals that only function literals capture which
// never leave the function (closures.go).
//
// With [Options.Thin] functions are in the program twice, with hooks and without, so
// that heal can leave the hooks out for a while: thin.go. heal could as well have
// skipped them one by one, but what they cost is as much the registers they take from
// the program as what they do.
//
// With [Options.Control] the same passes prepare a program for the scheduler,
// package sched, instead: see controlled.go for the constructs and stdpatch.go for
// the standard library.
//
// The main entry is [Rewrite]; its [Result] is installed by [Result.Install].
// The package knows heal by its import path and names only, never imports it,
// writes nowhere but under the cache directory it is given, and keeps no state
// between calls; they may run in parallel.
package rewrite
