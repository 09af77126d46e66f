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
// may get away with it, now and then. And in a program that has a fault, runs in
// which something harmless is broken mostly fail, for the fault's sake. Therefore
// every section that was broken is tried: some runs have noise at its entry alone
// ([Refinement.Aim]), while the others are healed ([Refinement.Healing]). When those
// that break it mostly fail it stays, and is healed in the runs that follow, which
// then are mostly correct and show what does no harm.
//
// [Refinement] keeps the account: [Refinement.Add] takes one [Run] at a time, and
// [Refinement.Apply] writes what follows into a Spec. It starts no program and
// reads no file: package cli does, and hands over what it saw; [Places] turns
// reports and coverage into ends of sections. Only candidates change; what a
// person has judged is left alone. A Refinement is not safe for concurrent use.
package refine
