// Package accesses defines an Analyzer that lists the accesses to variables in
// the order in which the control-flow graph of each function makes them.
//
// # Analyzer accesses
//
// accesses: order the accesses to variables along control flow
//
// The analyzer reports nothing by itself. It joins two views of a package:
// the enumeration of package atomicity/access, by which atomicity.yaml and the
// rewriter name accesses, and a control-flow graph for every function and
// function literal. Its result, [*Package], has one [Body] for each of them,
// and a Body has, block by block, the [Event]s that matter to atomicity:
// accesses, calls, go and defer statements, channel operations and returns.
//
// The graphs are built from syntax (golang.org/x/tools/go/cfg) rather than in
// SSA form: positions stay those of the source, packages with type errors can
// be analysed, and nothing needs to be built for dependencies.
//
// A function that is not exported, that one other function of the file mentions and calls,
// and that is a mere part of it has no body of its own: its statements stand in the place
// of the call, and [Package.Order] says what comes before what then. Of those above their
// caller that is so for methods of the same object that take no lock; the others keep their
// own, for what is told of a call to them is more. [Package.Apart] is the call that led there.
//
// Likewise, in a copy of the syntax, function literals that are called at once, what is started
// by a local that names it, and loops that never come round stand as the statements that they
// are. So do these, of which [Package.Put] gives the call in whose place they stand, and whose
// accesses have no ordinal of their own:
//
//   - what an accessor does, a method that is not exported, takes no lock, and returns one
//     expression, makes one store, or returns an error on a condition (if err := s.check(); err
//     != nil). Exported ones keep their bodies: other packages know them by name, and who calls
//     one tells who reads the field. The methods of a type that is not exported, and is a map or
//     has nothing but a map, an atomic or a sync.Map in it, are accessors whatever they are called;
//   - what a function does around the literal that it is given and calls once, without anything
//     of its own to decide: s.locked(func() { … }), s.each(func(k string, v int) { … });
//   - what one does that takes a lock and returns what releases it: defer s.hold()().
package accesses

import _ "embed"

//go:embed doc.go
var doc string
