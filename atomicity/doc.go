// Package atomicity is the vocabulary of atomrace: which sections of a Go
// program its authors meant to be atomic, and the file atomicity.yaml that
// says so.
//
// Analyzers propose sections, a person curates them in the file, and rewrite
// and heal watch them in the running program; all of them meet in this
// package. Its main type is Spec: packages hold variables, a variable holds
// the sections over it, and a Section runs from one entry access to one of its
// end accesses. Each End has the AccessSet of foreign accesses that do not
// break the section (papers/001 section 3.2).
//
// Start with Load, Spec.Merge and Spec.Save:
//
//	spec, err := atomicity.Load("atomicity.yaml")
//	report := spec.Merge(inferred) // new candidates in, a person's words untouched
//	err = spec.Save("atomicity.yaml")
//
// Several files may be in force for one package: Files finds them, and Spec.Inherit
// puts what they say together, the nearest first. Spec.Merge marks the sections that
// were not found again (Staleness); nothing but a person takes one away.
//
// Loading is strict: what is not understood is an error with file, line and
// column, never ignored. Saving is lossless: a Spec remembers the text it was
// read from and only the values that changed are spliced into it, so comments,
// order, quoting and blank lines stay as a person left them.
//
// A section is over one variable or, with Section.With, over several that belong
// together (set.go).
//
// What a tool finds out is one line at most, and only when there is something to say: the
// assurance of a section, by which a reviewer sees at once what healing it comes to, is
// "lock" or "yield, because …" in words without lines, so that a diff shows it when the
// code has changed and never because code above it moved.
//
// The package knows names and texts, never Go syntax or types: it imports the
// standard library and gopkg.in/yaml.v3 alone. Locations are found in Go code
// by the sibling package access. A Spec may be read by several goroutines at
// once, but not while one of them changes it.
package atomicity
