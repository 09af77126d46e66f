// Package facts writes what the analyzers know of a package's functions in a
// form that other packages can read: without objects and syntax, in few bytes,
// the same bytes each time.
//
// An analyzer keeps one package fact, whose only field is a byte slice that a
// [Writer] made. A function is known by its [Key], memory by a [Place]: the
// receiver, a parameter or a package-level variable, and the names of the fields
// from there. What depends on an index, and what only a function itself can
// name, has no such form and is left out.
//
// [Imports] reads the facts of the imported packages, each when the first of its
// functions is asked for. Go's drivers hand on package facts along direct
// imports only: of a function whose package the importer does not import itself,
// nothing is known.
//
// Every analyzer bounds its fact to [MaxBytes] a package. [Fit] chooses what is
// kept: by rank, then by key, so that the choice is the same each time.
package facts
