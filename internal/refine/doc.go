// Package refine prunes candidates for atomic sections by running the program
// (papers/001 section 4.3).
//
// A static analysis proposes many sections that nobody meant to be atomic. An
// oracle, such as the outcome of a test, tells correct runs from others. A
// section that another goroutine broke in a correct run did no harm there, so
// the end at which it was broken gets A = {read, write}. When nothing changes any
// more over a number of correct runs, the sections that never ran are set aside.
//
// The paper lets a section go as soon as one correct run breaks it. Real faults
// need luck to show, however: a connection pool that hands out a connection twice
// may get away with it, now and then. Before a section is let go it is therefore
// tried: some runs have noise at its entry alone ([Refinement.Aim]), so that
// little else is broken in them, and it stays when those that break it mostly fail.
//
// [Refinement] keeps the account: [Refinement.Add] takes one [Run] at a time, and
// [Refinement.Apply] writes what follows into a Spec. It starts no program and
// reads no file: package cli does, and hands over what it saw; [Places] turns
// reports and coverage into ends of sections. Only candidates change; what a
// person has judged is left alone. A Refinement is not safe for concurrent use.
package refine
