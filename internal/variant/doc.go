// Package variant writes a program anew in other words: it applies one
// transformation that keeps the meaning wherever it fits in a file.
//
// What an analyzer finds must not depend on how a thing is said: on whether a lock is a
// pointer, a condition has a name, or an early return is written the other way round.
// The tests of package analyzers run over the variants of small programs, and
// compare what is found in them with what is found in the originals.
//
// A transformation is a Variant. It works on the syntax tree of one file, package by
// package of one file each, with the types of the original; where it cannot be sure
// that the meaning stays, it leaves a place alone. The files hold them by subject:
// locks and who holds them, sections, branches, conditions, values, atomics, names,
// goroutines, what stands in between, what is moved into functions of its own, the methods
// around a field, what objects a field is in, and the types around a lock, an atomic or a map.
package variant
