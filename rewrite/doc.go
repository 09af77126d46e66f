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
// be hooked on these terms is left as it is, with a [Note] that says why. The
// explicit ways out of a section (atomExit) are in exits.go, the healing locks
// taken before the program's own in holds.go.
//
// The main entry is [Rewrite]; its [Result] is installed by [Result.Install].
// The package knows heal by its import path and names only, never imports it,
// writes nowhere but under the cache directory it is given, and keeps no state
// between calls; they may run in parallel.
package rewrite
