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
// compare-and-swap loops correct.
package section

import _ "embed"

//go:embed doc.go
var doc string
